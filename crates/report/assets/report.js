'use strict';
// Looks up what the slider moves in the tables of the page. All that is computed here is what amounts are worth in money, and
// what one plan brings beyond the one before it.
(() => {
  const data = JSON.parse(document.getElementById('figures').textContent);
  if (!data) return;
  const { words, slider, curve, lists } = data;
  const byId = (id) => document.getElementById(id);
  const say = (id, text) => { const element = byId(id); if (element) element.textContent = text; };

  // Numbers as the program shows them: at most four significant digits, thousands separated.
  function nice(value) {
    if (value === null || value === undefined) return '-';
    const size = Math.abs(value);
    if (value === 0) return '0';
    if (size < 1e-4 || size >= 1e9) return value.toExponential(3).replace('e+', 'e');
    if (size >= 1000) {
      const digits = String(Math.round(size)).replace(/\B(?=(\d{3})+$)/g, ',');
      return value < 0 ? '-' + digits : digits;
    }
    const text = value.toFixed(Math.max(3 - Math.floor(Math.log10(size)), 0));
    return text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
  }
  function percent(share) {
    const p = 100 * share;
    if (p === 0) return '0 %';
    if (p > 99 && p < 100) return (Math.floor(10 * p) / 10).toFixed(1) + ' %';
    if (p >= 9.95) return p.toFixed(0) + ' %';
    return p >= 0.05 ? p.toFixed(1) + ' %' : '< 0.1 %';
  }
  const amount = (value) => (value === null || value === undefined ? '-' : nice(value) + ' ' + words.unit);
  const range = (low, high, before, after) =>
    low === null || low === undefined || high === null || high === undefined
      ? '' : before + nice(low) + ' to ' + nice(high) + (after || '');
  const worth = (value) =>
    words.money && value !== null && value !== undefined
      ? ' (' + nice(value * words.money.worth) + ' ' + words.money.currency + ')' : '';

  const input = byId('slider');
  let position = slider.start;
  let chosen = Math.max(lists.length - 1, 0);
  let sorted = { key: 'rank', down: false };
  // Rows below those to act on that are shown before all are asked for.
  const BELOW = 5;
  let all = false;

  // All lists together, where outcomes are known.
  function showPast() {
    if (!curve) return;
    const p = position;
    say('reached', amount(curve.model[p]) + worth(curve.model[p]));
    say('share', percent(curve.share[p]) + ' of all');
    say('more', amount(curve.more[p]) + worth(curve.more[p]));
    say('more-range', range(curve.more_low[p], curve.more_high[p], '95 % interval ', ''));
    say('next', amount(curve.next[p]));
    say('next-words', curve.next[p] === null ? '' : 'more would be reached in all');
    say('other', curve.other);
    say('other-key', curve.other);
    const picture = byId('curve');
    const number = (name) => Number(picture.dataset[name]);
    const x = number('left') + slider.positions[p] / number('last') * (number('right') - number('left'));
    const y = number('bottom') - curve.model[p] / number('most') * (number('bottom') - number('top'));
    byId('marker').setAttribute('x1', x);
    byId('marker').setAttribute('x2', x);
    byId('dot').setAttribute('cx', x);
    byId('dot').setAttribute('cy', y);
  }

  // Which rows of the list's items are acted on at this position.
  function acted(list) {
    if (list.plans) return new Set(list.plans[position].chosen);
    const count = list.acted ? list.acted[position] : Math.min(slider.positions[position], list.of);
    return new Set(Array.from({ length: Math.min(count, list.items.id.length) }, (_, i) => i));
  }
  const counted = (list) => (list.plans ? list.plans[position].chosen.length
    : list.acted ? list.acted[position] : Math.min(slider.positions[position], list.of));

  function showTotals(list) {
    const { items } = list;
    const count = counted(list);
    const last = count - 1;
    const at = (column) => (count === 0 ? 0 : column && last < column.length ? column[last] : null);
    const plan = list.plans && list.plans[position];
    say('count', count + ' of ' + nice(list.of) + ' ' + words.items);
    const spent = plan ? plan.spent : items.price ? at(items.price_total) : undefined;
    say('spent', spent === undefined || spent === null ? '' : 'for ' + nice(spent));
    const expected = plan ? plan.expected : items.total ? at(items.total) : null;
    say('expected', amount(expected) + worth(expected));
    const low = plan ? plan.low : items.total_low ? at(items.total_low) : null;
    const high = plan ? plan.high : items.total_high ? at(items.total_high) : null;
    say('expected-range', range(low, high, 'in 8 of 10 such ' + words.lists + ' ', high < expected ? ', seldom far more' : ''));
    if (items.cost && !plan) {
      say('then-title', 'What came');
      say('then', amount(at(items.cost_total)));
      say('then-words', 'of those to act on');
    } else if (!plan) {
      const next = count < items.id.length ? count : null;
      say('then-title', 'The next one');
      say('then', next === null || !items.expected ? '-' : amount(items.expected[next]));
      say('then-words', next === null ? '' : items.id[next]);
    } else {
      const before = position > 0 ? list.plans[position - 1] : null;
      say('then-title', 'The last step brings');
      say('then', before ? amount(plan.expected - before.expected) : '-');
      say('then-words', before ? 'more than with ' + nice(slider.positions[position - 1]) : '');
    }
    const hidden = !plan && count > items.id.length;
    say('room', hidden ? 'Only the first ' + nice(items.id.length) + ' are on this page; stakes rank writes all.'
      : items.id.length < list.of ? 'The first ' + nice(items.id.length) + ' of ' + nice(list.of) + ' ' + words.items + ' are on this page.' : '');
  }

  const columns = (items) => [
    { key: 'rank', title: 'place', text: false },
    { key: 'id', title: words.item, text: true },
    items.expected && { key: 'expected', title: 'expected ' + words.unit, bar: true },
    items.score && { key: 'score', title: 'score', bar: true },
    items.chance && { key: 'chance', title: 'chance of any', share: true },
    items.low && { key: 'low', title: '8 of 10 such cost', ends: true },
    items.price && { key: 'price', title: 'price' },
    items.cost && { key: 'cost', title: 'what came' },
    items.because && { key: 'because', title: 'why', text: true, why: true },
  ].filter(Boolean);

  function bar(items, i, most) {
    const name = 'http://www.w3.org/2000/svg';
    const picture = document.createElementNS(name, 'svg');
    picture.setAttribute('width', '90');
    picture.setAttribute('height', '12');
    picture.setAttribute('aria-hidden', 'true');
    const draw = (kind, attributes) => {
      const shape = document.createElementNS(name, kind);
      for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
      picture.append(shape);
    };
    const x = (value) => Math.max(0, Math.min(90, value / most * 90)).toFixed(1);
    draw('rect', { class: 'bar', x: 0, y: 2, height: 8, width: x(items.expected[i]) });
    if (items.low) draw('line', { class: 'range', x1: x(items.low[i]), x2: x(items.high[i]), y1: 6, y2: 6 });
    return picture;
  }

  function rows(list) {
    const { items } = list;
    const act = acted(list);
    const wanted = byId('search').value.trim().toLowerCase();
    const only = byId('only').checked;
    let order = items.id.map((_, i) => i).filter((i) =>
      (!only || act.has(i)) && (!wanted || items.id[i].toLowerCase().includes(wanted)
        || (items.because && (items.because[i] || '').toLowerCase().includes(wanted))));
    const column = items[sorted.key] || items.rank;
    const compare = (a, b) => {
      const [x, y] = [column[a], column[b]];
      const by = typeof x === 'string' || typeof y === 'string'
        ? String(x || '').localeCompare(String(y || ''), undefined, { numeric: true }) : x - y;
      return (sorted.down ? -by : by) || a - b;
    };
    return { act, order: order.sort(compare) };
  }

  function showTable(list) {
    const { items } = list;
    const shown = columns(items);
    const head = document.querySelector('#table thead tr');
    head.replaceChildren(...shown.map((column) => {
      const cell = document.createElement('th');
      cell.scope = 'col';
      if (column.text) cell.className = 'text';
      if (sorted.key === column.key) cell.setAttribute('aria-sort', sorted.down ? 'descending' : 'ascending');
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = column.title;
      button.addEventListener('click', () => {
        const first = !['rank', 'id', 'because'].includes(column.key);
        sorted = sorted.key === column.key ? { key: column.key, down: !sorted.down } : { key: column.key, down: first };
        showTable(lists[chosen]);
        document.querySelectorAll('#table thead button')[shown.indexOf(column)].focus();
      });
      cell.append(button);
      return cell;
    }));
    const most = Math.max(...(items.high || items.expected || [1]).slice(0, 50), 1e-300);
    const { act, order: found } = rows(list);
    // What is searched for is shown wherever it stands.
    const folds = !all && !byId('search').value.trim() && sorted.key === 'rank' && !sorted.down;
    const last = Math.max(...act, -1) + BELOW;
    const order = folds ? found.filter((i) => i <= last) : found;
    say('none', found.length ? '' : 'None of the ' + nice(items.id.length) + ' ' + words.items + ' on this page.');
    const more = byId('all');
    more.hidden = order.length === found.length;
    more.textContent = 'Show ' + (found.length - order.length) + ' more';
    document.querySelector('#table tbody').replaceChildren(...order.map((i) => {
      const row = document.createElement('tr');
      if (act.has(i)) row.className = 'act';
      for (const column of shown) {
        const cell = document.createElement('td');
        if (column.key !== 'id' && column.key !== 'rank') cell.dataset.label = column.title;
        if (column.text) {
          const text = document.createElement('bdi');
          text.textContent = items[column.key][i] || '';
          cell.className = column.why ? 'text why' : 'text';
          cell.append(text);
        } else if (column.ends) {
          const [low, high] = [items.low[i], items.high[i]];
          // Where costs are rare, most such items cost nothing and a few cost much: the mean lies beyond the range.
          cell.textContent = high === 0 ? 'mostly nothing' : nice(low) + ' to ' + nice(high);
          if (items.expected[i] > high) cell.textContent += ', seldom far more';
        } else if (column.share) {
          cell.textContent = percent(items[column.key][i]);
        } else {
          cell.textContent = nice(items[column.key][i]);
          if (column.key === 'expected') cell.append(bar(items, i, most));
        }
        row.append(cell);
      }
      return row;
    }));
    say('reading', [
      'Shaded: to act on.',
      items.low && 'Bars are expected ' + words.unit + ', with the range of 8 of 10 such ' + words.items + '.',
    ].filter(Boolean).join(' '));
    const cut = nice(slider.positions[slider.start]);
    say('against', !list.against ? '' : 'Why, with the cut at ' + cut + ': how each of the first differs from ' + list.against[0]
      + ', the first below, and each of the others from ' + list.against[1] + ', the last above; in brackets what that adds to the expected '
      + words.unit + '.');
  }

  function showList() {
    if (!lists.length) return;
    showTotals(lists[chosen]);
    showTable(lists[chosen]);
  }

  function csv(some) {
    // A text that a spreadsheet would take for a formula is kept as text.
    const cell = (value) => {
      const text = value === null || value === undefined ? '' : String(value);
      const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? "'" + text : text;
      return /[",\n\r]/.test(safe) ? '"' + safe.replace(/"/g, '""') + '"' : safe;
    };
    const has = (key) => some.some(({ list }) => list.items[key]);
    const keys = ['rank', 'id', 'expected', 'chance', 'low', 'high', 'score', 'price', 'cost', 'because'].filter(has);
    const lines = some.flatMap(({ list, order, act }) => order.map((i) =>
      [list.list, act.has(i) ? 'yes' : 'no', ...keys.map((key) => (list.items[key] || [])[i])].map(cell).join(',')));
    return ['list', 'act', ...keys].join(',') + '\n' + lines.join('\n') + '\n';
  }

  function save(text, name) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
    link.download = (name || 'list').replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(0, 60) + '.csv';
    link.click();
    URL.revokeObjectURL(link.href);
  }

  function showAmount() {
    byId('amount').textContent = nice(slider.positions[position]);
    input.setAttribute('aria-valuetext', nice(slider.positions[position]));
  }

  function move() {
    position = Number(input.value);
    showAmount();
    showPast();
    showList();
  }

  input.max = slider.positions.length - 1;
  input.value = position;
  input.addEventListener('input', move);
  if (lists.length) {
    const select = byId('list');
    select.replaceChildren(...lists.map((list, i) => {
      const option = document.createElement('option');
      option.value = i;
      const name = list.list || 'all';
      option.textContent = list.time && list.time !== name ? name + ' (' + list.time + ')' : name;
      return option;
    }));
    const choose = (i) => {
      chosen = Math.max(0, Math.min(lists.length - 1, i));
      select.value = chosen;
      showList();
    };
    select.value = chosen;
    select.addEventListener('change', () => choose(Number(select.value)));
    byId('before').addEventListener('click', () => choose(chosen - 1));
    byId('after').addEventListener('click', () => choose(chosen + 1));
    byId('search').addEventListener('input', showList);
    byId('only').addEventListener('change', showList);
    byId('all').addEventListener('click', () => { all = true; showList(); });
    byId('download').addEventListener('click', () =>
      save(csv([{ list: lists[chosen], ...rows(lists[chosen]) }]), lists[chosen].list));
    byId('download-all').addEventListener('click', () =>
      save(csv(lists.map((list) => ({ list, act: acted(list), order: [...acted(list)] }))), 'to-act-on'));
  }
  move();
})();
