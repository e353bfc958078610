'use strict';
(() => {
  // What the names of files say about their content.
  const KINDS = {
    csv: 'text/csv', tsv: 'text/tab-separated-values', tab: 'text/tab-separated-values', json: 'application/json',
    xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    xlsm: 'application/vnd.ms-excel.sheet.macroenabled.12',
    parquet: 'application/vnd.apache.parquet', pq: 'application/vnd.apache.parquet',
    arrow: 'application/vnd.apache.arrow.file', feather: 'application/vnd.apache.arrow.file',
    ipc: 'application/vnd.apache.arrow.file', arrows: 'application/vnd.apache.arrow.stream',
  };
  const byId = (id) => document.getElementById(id);
  const needsToken = document.currentScript.dataset.token === 'true';
  let models = [];
  let dropped = null;
  let saved = null;

  function say(text, isBad) {
    byId('status').textContent = text;
    byId('status').classList.toggle('bad', Boolean(isBad));
  }

  /** Asks the service; what it refuses is an error with its words. */
  async function ask(path, options) {
    const headers = { ...(options && options.headers) };
    if (needsToken) headers.authorization = 'Bearer ' + byId('token').value.trim();
    const answer = await fetch(path, { ...options, headers });
    if (answer.ok) return answer;
    const refused = await answer.json().catch(() => ({}));
    throw new Error(refused.error || 'The service answered ' + answer.status + '.');
  }

  function showColumns() {
    const model = models.find((other) => other.name === byId('model').value);
    if (!model) return;
    byId('names').textContent = model.features.map((feature) => feature.name).join(', ');
    const { list, id, price } = model.columns;
    const roles = [['list', list], ['id', id], ['price', price]].filter(([, column]) => column);
    byId('columns').textContent = 'As in training: ' + roles.map(([role, column]) => role + ' ' + column).join(', ') + '.';
  }

  async function loadModels() {
    if (needsToken && !byId('token').value.trim()) return;
    try {
      models = await (await ask('/v1/models')).json();
      byId('model').replaceChildren(...models.map((model) => new Option(model.name + ' (' + model.learner + ')', model.name)));
      showColumns();
      say('');
    } catch (error) {
      say(error.message, true);
    }
  }

  async function makeReport(event) {
    event.preventDefault();
    const file = dropped || byId('file').files[0];
    if (!file) return say('Choose a file first.', true);
    const kind = KINDS[file.name.split('.').pop().toLowerCase()];
    if (!kind) return say(file.name + ' has no name that says what it is: .csv, .xlsx, .parquet, .arrow or .json.', true);
    byId('make').disabled = true;
    say('Ranking ' + file.name + ' …');
    try {
      const query = new URLSearchParams({ model: byId('model').value, name: file.name.slice(0, 100) });
      const answer = await ask('/v1/report?' + query, { method: 'POST', body: file, headers: { 'content-type': kind } });
      const html = await answer.text();
      byId('report').srcdoc = html;
      byId('report').hidden = false;
      if (saved) URL.revokeObjectURL(saved);
      saved = URL.createObjectURL(new Blob([html], { type: 'text/html' }));
      Object.assign(byId('save'), { href: saved, download: 'report.html', hidden: false });
      say('The report is below.');
      byId('report').focus();
    } catch (error) {
      say(error.message, true);
    } finally {
      byId('make').disabled = false;
    }
  }

  function take(file) {
    dropped = file || null;
    if (dropped) say(dropped.name + ' is chosen.');
  }

  const drop = byId('drop');
  for (const name of ['dragover', 'dragleave', 'drop']) {
    drop.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.toggle('over', name === 'dragover');
      if (name === 'drop') take(event.dataTransfer.files[0]);
    });
  }
  byId('file').addEventListener('change', () => take(null));
  byId('form').addEventListener('submit', makeReport);
  byId('model').addEventListener('change', showColumns);
  byId('token').addEventListener('change', loadModels);
  byId('token-row').hidden = !needsToken;
  loadModels();
})();
