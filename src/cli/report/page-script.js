/* global uPlot, document, window, getComputedStyle, matchMedia */
// Runs in the page: draws the panels of the data beside it, and tells the decision under the cursor.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const tip = document.getElementById('tip');
  const CHART_HEIGHT = 220;
  let charts = [];

  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

  const axis = (label, size) => ({
    label,
    size,
    labelSize: 22,
    labelFont: '12px system-ui, sans-serif',
    font: '12px system-ui, sans-serif',
    stroke: color('quiet'),
    grid: { stroke: color('line'), width: 1 },
    ticks: { stroke: color('line'), width: 1 },
  });

  // uPlot's table of ticks: step in seconds, text, and what is added where a year, month or day begins.
  const day = '\n{D} {MMM}';
  const year = '\n{D} {MMM} {YYYY}';
  const TIME_TICKS = [
    [31_536_000, '{YYYY}', null, null, null, null, null, null, 1],
    [86_400, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
    [60, '{HH}:{mm}', year, null, day, null, null, null, 1],
    [1, '{HH}:{mm}:{ss}', year, null, day, null, null, null, 1],
  ];

  const lineOf = ({ label, role, stepped, dashed }) => ({
    label,
    stroke: color(role),
    width: role === 'recorded' ? 1 : 1.75,
    ...(dashed ? { dash: [6, 5] } : {}),
    ...(stepped ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}),
    points: { show: false },
  });

  const optionsOf = (panel, width) => ({
    width,
    height: CHART_HEIGHT,
    legend: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: {
      x: { time: data.x.isTime },
      y: { range: (_, least, most) => uPlot.rangeNum(Math.min(0, least), most, 0.08, true) },
    },
    axes: [
      { ...axis(data.x.label, 50), ...(data.x.isTime ? { values: TIME_TICKS } : {}) },
      axis(panel.unit, 64),
    ],
    // The first line on top of the others.
    series: [{}, ...panel.lines.map(lineOf).reverse()],
    cursor: { y: false, sync: { key: 'panels' }, points: { size: 6 } },
    hooks: { setCursor: [showDecision] },
  });

  const element = (tag, text, className) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (className !== undefined) made.className = className;
    return made;
  };

  const timeText = (x) =>
    data.x.isTime
      ? new Date(x * 1000).toISOString().slice(0, 19).replace('T', ' ') + ' UTC'
      : `interval ${x}`;

  const numberText = (value) => (value === null ? '-' : String(Number(value.toPrecision(4))));

  /** The decision in force at a moment: the one made then, or the last before it. */
  const decisionAt = (run, index) => {
    let at = index;
    while (at > 0 && run.because[at] === null) at -= 1;
    return run.because[at] ?? '';
  };

  let hovered;
  function showDecision(chart) {
    const { idx, left, top } = chart.cursor;
    if (chart !== hovered) return;
    if (idx === null || idx === undefined || left < 0) {
      tip.hidden = true;
      return;
    }
    const parts = [element('time', timeText(data.x.values[idx]))];
    for (const run of data.runs) {
      const numbers = `metric ${numberText(run.metric[idx])}, weight ${run.weight[idx]}, load ${numberText(run.load[idx])}`;
      parts.push(element('p', data.runs.length > 1 ? `${run.name}: ${numbers}` : numbers, 'numbers'));
      parts.push(element('p', decisionAt(run, idx), 'because'));
    }
    tip.replaceChildren(...parts);
    tip.hidden = false;
    const box = chart.over.getBoundingClientRect();
    const x = box.left + left + (left > box.width / 2 ? -tip.offsetWidth - 16 : 16);
    tip.style.left = `${Math.max(8, x) + window.scrollX}px`;
    tip.style.top = `${box.top + top + 16 + window.scrollY}px`;
  }

  function draw() {
    for (const chart of charts) chart.destroy();
    charts = data.panels.map((panel, index) => {
      const place = document.getElementById(`panel-${index}`);
      const values = [data.x.values, ...panel.lines.map((line) => line.values).reverse()];
      const chart = new uPlot(optionsOf(panel, place.clientWidth), values, place);
      chart.over.addEventListener('mouseenter', () => (hovered = chart));
      chart.over.addEventListener('mouseleave', () => (tip.hidden = true));
      return chart;
    });
  }

  draw();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  window.addEventListener('resize', () => {
    for (const chart of charts)
      chart.setSize({ width: chart.root.parentElement.clientWidth, height: CHART_HEIGHT });
  });
})();
