//! Small random changes to seeds; the same sequence for the same target on every machine.

/// Text that parsers often fail on.
const TOKENS: &[&[u8]] = &[
    b"nan",
    b"NaN",
    b"inf",
    b"-inf",
    b"-1",
    b"-0",
    b"0",
    b"1e999",
    b"1e-999",
    b"1e308",
    b"-1.7976931348623157e308",
    b"99999999999999999999",
    b"100000000",
    b"4294967296:1",
    b"1048575:1",
    b"1048576:1",
    b" qid:",
    b" qid:1",
    b"#docid = ",
    b"\"",
    b"\"\"",
    b"'",
    b",",
    b";",
    b"\t",
    b"\n",
    b"\r\n",
    b"\r",
    b"\0",
    b"\xff",
    b"\xc3",
    b"\xef\xbb\xbf",
    "\u{2028}\u{e9}\u{1F300}".as_bytes(),
    b"#",
    b":",
    b"=",
    b"@",
    b"(",
    b")",
    b"%",
    b"..",
    b"/",
    b"*",
    b"^",
    b"{",
    b"}",
    b"1e",
    b"0x1p3",
    b"+",
    b".",
    b"1_000",
    b"rcr@1(",
    b"ndcg@5",
    b":ties=worst",
    b":ties=subrank",
    b":budget=1e-300",
    b":policy=1/1e-320",
    b":empty=one",
    b"geometric(1e-300)",
    b"1..100000000",
    b"1e-300%",
    b"2026-02-30",
    b"null",
    b"[]",
    b"{}",
    b"[[",
    b"\"version\": 2",
    b"\"categories\": {\"0\": [0]}",
    b"-2147483648",
    b"2147483647",
    b",1",
    b"\\u0000",
    b"LR",
];
/// The maximum length of an input.
const MAX_LENGTH: usize = 1 << 14;

/// Makes inputs from seeds.
pub(crate) struct Mutator<'s> {
    seeds: &'s [Vec<u8>],
    state: u64,
}

impl<'s> Mutator<'s> {
    /// The name seeds the sequence, so that targets get different changes.
    pub(crate) fn new(name: &str, seeds: &'s [Vec<u8>]) -> Self {
        let state = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
        Mutator { seeds, state }
    }

    /// The next input: a seed with one to six changes.
    pub(crate) fn input(&mut self) -> Vec<u8> {
        let mut input = self.seed().to_vec();
        for _ in 0..1 + self.below(6) {
            self.change(&mut input);
        }
        input.truncate(MAX_LENGTH);
        input
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let at = self.below(input.len() + 1);
        let end = at + self.below(input.len() - at + 1);
        match self.below(12) {
            0 if at < input.len() => input[at] ^= 1 << self.below(8),
            1 if at < input.len() => input[at] = self.next() as u8,
            2 => input.truncate(at),
            3 => drop(input.drain(at..end)),
            4 => {
                let copy = input[at..end].to_vec();
                let to = self.below(input.len() + 1);
                input.splice(to..to, copy);
            }
            5 => {
                let other = self.seed();
                let from = self.below(other.len() + 1);
                input.truncate(at);
                input.extend_from_slice(&other[from..]);
            }
            6 => {
                let byte = input.get(at).copied().unwrap_or(b'9');
                let many = [8, 64, 512, 4096][self.below(4)];
                input.splice(at..at, vec![byte; many]);
            }
            7 => {
                let token = TOKENS[self.below(TOKENS.len())];
                let many = [2, 16, 128][self.below(3)];
                input.splice(at..at, token.repeat(many));
            }
            8 => {
                let token = TOKENS[self.below(TOKENS.len())];
                let end = (at + token.len()).min(input.len());
                input.splice(at..end, token.iter().copied());
            }
            _ => {
                let token = TOKENS[self.below(TOKENS.len())];
                input.splice(at..at, token.iter().copied());
            }
        }
    }

    fn seed(&mut self) -> &'s [u8] {
        let seeds = self.seeds;
        &seeds[self.below(seeds.len())]
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
