// Replays the games. The page has no rules: the data lists the pieces of the start and the cells that each move changed.
const games = JSON.parse(document.getElementById('games').textContent);
const byId = (id) => document.getElementById(id);
const GLYPHS = { rook: '♜', knight: '♞', bishop: '♝', queen: '♛', king: '♚' };
const CELL = 10, EDGE = 8;
let game = 0, ply = 0;

function draw() {
  const g = games[game];
  ply = Math.max(0, Math.min(ply, g.moves.length));
  const pieces = new Map(g.start), last = new Set();
  g.moves.slice(0, ply).forEach(([, ...changes], at) => {
    for (const [cell, piece] of changes) {
      pieces.set(cell, piece);
      if (at === ply - 1) last.add(cell);
    }
  });
  const middle = (cell) => [EDGE + CELL * (cell % g.cols + .5), EDGE + CELL * (Math.floor(cell / g.cols) + .5)];
  const [width, height] = [2 * EDGE + CELL * g.cols, 2 * EDGE + CELL * g.rows];
  let svg = '';
  if (g.style === 'crossings') {
    for (let i = 0; i < g.cols; i++) svg += `<path class="lines" d="M${middle(i)}V${height - EDGE - CELL / 2}"/>`;
    for (let i = 0; i < g.rows; i++) svg += `<path class="lines" d="M${middle(i * g.cols)}H${width - EDGE - CELL / 2}"/>`;
  }
  for (let cell = 0; cell < g.rows * g.cols; cell++) {
    const [x, y] = middle(cell);
    const odd = (cell % g.cols + Math.floor(cell / g.cols)) % 2;
    if (g.style === 'round-holes') svg += `<circle class="hole" cx="${x}" cy="${y}" r="4.1"/>`;
    else if (g.style !== 'crossings') svg += `<rect class="${g.style === 'chequered' && odd ? 'shade' : 'hole'}" x="${x - 4.6}" y="${y - 4.6}" width="9.2" height="9.2" rx="1.4"/>`;
    const piece = pieces.get(cell);
    if (piece) svg += drawPiece(piece, x, y);
    if (last.has(cell)) svg += `<circle class="new" cx="${x}" cy="${y}" r="4.6"/>`;
  }
  if (ply === g.moves.length && g.line.length) svg += `<path class="line" d="M${g.line.map(middle).join('L')}"/>`;
  for (let i = 0; i < g.cols; i++) svg += `<text x="${middle(i)[0]}" y="${height - 2}">${g.numbered ? i + 1 : letters(i)}</text>`;
  if (!g.numbered) for (let i = 0; i < g.rows; i++) svg += `<text x="4" y="${middle(i * g.cols)[1] + 2}">${g.rows - i}</text>`;
  const board = byId('board');
  board.setAttribute('viewBox', `0 0 ${width} ${height}`);
  board.innerHTML = svg;
  byId('where').textContent = `${ply} / ${g.moves.length}` + (ply ? ` · ${g.moves[ply - 1][0]}` : '') + (g.said[ply - 1] ? ` · ${g.said[ply - 1]}` : '');
  byId('title').textContent = `${g.first} – ${g.second}: ${g.result}` + (g.forfeit ? ` (${g.forfeit})` : '') + (g.adjudicated ? ` (adjudicated: ${g.adjudicated})` : '');
  byId('text').textContent = g.moves.slice(0, ply).map(([move]) => move).join(' ');
}

/** a to z, then aa. */
const letters = (i) => (i < 26 ? '' : letters(Math.floor(i / 26) - 1)) + String.fromCharCode(97 + (i % 26));

function drawPiece(piece, x, y) {
  const side = piece[0] === '1' ? 'first' : 'second', kind = piece.slice(1);
  if (GLYPHS[kind]) return `<text class="${side} glyph" x="${x}" y="${y + 3.2}">${GLYPHS[kind]}</text>`;
  const r = side === 'first' ? 3.7 : 2.7;
  if (kind === 'square') return `<rect class="${side}" x="${x - r}" y="${y - r}" width="${2 * r}" height="${2 * r}" rx=".6"/>`;
  return `<circle class="${side}" cx="${x}" cy="${y}" r="${r}"/>`;
}

function show(n) {
  game = Math.max(0, Math.min(n, games.length - 1));
  ply = games[game].moves.length;
  byId('pick').value = game;
  draw();
}

function step(n) {
  ply += n;
  draw();
}

byId('pick').onchange = (event) => show(Number(event.target.value));
for (const [id, n] of [['start', -1e9], ['back', -1], ['forward', 1], ['end', 1e9]]) byId(id).onclick = () => step(n);
onkeydown = (event) => {
  const n = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 }[event.key];
  if (!n || event.target.tagName === 'SELECT') return;
  step(n);
  event.preventDefault();
};
const linked = () => Number(/^#game-(\d+)$/.exec(location.hash)?.[1] ?? 1) - 1;
onhashchange = () => {
  show(linked());
  byId('replay').scrollIntoView();
};
if (games.length) show(linked());
