-- Posts one body again and again; prints figures that load.py reads.
local file = assert(io.open(os.getenv("BODY"), "rb"))
wrk.method = "POST"
wrk.body = file:read("*a")
wrk.headers["Content-Type"] = "application/json"
file:close()

function done(summary, latency, requests)
    local failed = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status + summary.errors.timeout
    io.write(string.format("FIGURES %d %d %d %.1f %.1f\n",
        summary.requests, summary.duration, failed, latency:percentile(50), latency:percentile(99)))
end
