import { err, ok, type Result } from '../../foundation/result.ts';

/** Total demand at a time in intervals. */
export type Demand = (interval: number) => number;

/** The forms of a demand; numbers stand where capitals do. */
interface Shape {
  readonly form: string;
  readonly pattern: RegExp;
  readonly make: (...numbers: readonly number[]) => Demand;
}

const N = String.raw`(\d+(?:\.\d+)?)`;

const SHAPES: readonly Shape[] = [
  {
    form: 'constant:A',
    pattern: pattern(`constant:${N}`),
    make:
      (level = 0) =>
      () =>
        level,
  },
  {
    form: 'step:A:B@T',
    pattern: pattern(`step:${N}:${N}@${N}`),
    make:
      (before = 0, after = 0, at = 0) =>
      (interval) =>
        interval < at ? before : after,
  },
  {
    form: 'pulse:A:B@T-U',
    pattern: pattern(`pulse:${N}:${N}@${N}-${N}`),
    make:
      (low = 0, high = 0, from = 0, to = 0) =>
      (interval) =>
        interval >= from && interval < to ? high : low,
  },
  {
    form: 'ramp:A:B@T-U',
    pattern: pattern(`ramp:${N}:${N}@${N}-${N}`),
    make:
      (before = 0, after = 0, from = 0, to = 0) =>
      (interval) => {
        const way = to > from ? (interval - from) / (to - from) : Number(interval >= from);
        return before + (after - before) * Math.min(1, Math.max(0, way));
      },
  },
  {
    form: 'sine:A:B@P',
    pattern: pattern(`sine:${N}:${N}@${N}`),
    make:
      (least = 0, most = 0, period = 1) =>
      (interval) =>
        (least + most) / 2 - ((most - least) / 2) * Math.cos((2 * Math.PI * interval) / Math.max(1, period)),
  },
];

/** `step:1000:3000@50`: from 1000 to 3000 at interval 50. The error says which forms there are. */
export function parseDemand(text: string): Result<Demand, string> {
  for (const shape of SHAPES) {
    const match = shape.pattern.exec(text);
    if (match !== null) return ok(shape.make(...match.slice(1).map(Number)));
  }
  return err(`expected ${SHAPES.map(({ form }) => form).join(', ')}`);
}

function pattern(source: string): RegExp {
  return new RegExp(`^${source}$`);
}
