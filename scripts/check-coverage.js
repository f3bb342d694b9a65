// Prints the coverage of the last `c8` run and fails when it is too low: the core, which is pure, has no excuse for an
// untested branch; the rest may have a few (a socket that breaks just so).
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const SUMMARY = 'coverage/coverage-summary.json';
const REST_MINIMUM = 90;

/** @param {string} path */
function isCore(path) {
  return /^src\/(balancer|rebalance)\//.test(path) && !/^src\/rebalance\/(aws|metrics|targets)\//.test(path);
}

/** A file of types alone never runs, so it has no coverage.
 * @param {string} path */
function runs(path) {
  return /^(export )?(const|let|(async )?function|class)\b/m.test(readFileSync(path, 'utf8'));
}

/** @param {{ covered: number, total: number }[]} counts */
function percent(counts) {
  const covered = counts.reduce((sum, count) => sum + count.covered, 0);
  const total = counts.reduce((sum, count) => sum + count.total, 0);
  return total === 0 ? 100 : (100 * covered) / total;
}

/** @param {string} name @param {{ branches: { covered: number, total: number }, lines: { covered: number, total: number } }[]} files */
function describe(name, files) {
  const branches = percent(files.map((file) => file.branches));
  const lines = percent(files.map((file) => file.lines));
  console.log(
    `coverage of ${name}: ${branches.toFixed(1)}% of branches, ${lines.toFixed(1)}% of lines (${files.length} files)`,
  );
  return { branches, lines };
}

const { total, ...byFile } = JSON.parse(readFileSync(SUMMARY, 'utf8'));
const files = Object.entries(byFile)
  .map(([path, counts]) => ({ path: relative(process.cwd(), path), ...counts }))
  .filter((file) => runs(file.path));
const core = files.filter((file) => isCore(file.path));
const rest = files.filter((file) => !isCore(file.path));
if (total === undefined || core.length === 0 || rest.length === 0) throw new Error(`${SUMMARY} is not whole`);

describe('the core', core);
const restCoverage = describe('the rest', rest);

const problems = [
  ...core
    .filter((file) => file.branches.pct < 100)
    .map((file) => `${file.path}: ${file.branches.pct}% of branches; the core needs 100%`),
  ...(restCoverage.branches > REST_MINIMUM && restCoverage.lines > REST_MINIMUM
    ? []
    : [
        `the rest needs more than ${REST_MINIMUM}%; least covered: ${rest
          .toSorted((a, b) => a.branches.pct - b.branches.pct)
          .slice(0, 8)
          .map((file) => `${file.path} ${file.branches.pct}%`)
          .join(', ')}`,
      ]),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
