import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { err, ok, type Result } from '../foundation/result.ts';

/** What is made of some files, anew whenever one of them changes. */
export interface WatchedFiles<T> {
  readonly current: () => T;
  /** Looks at the files now; else they are looked at by themselves. */
  refresh(): Promise<void>;
  stop(): void;
}

export interface WatchOptions<T> {
  /** Flags and the files that they name. */
  readonly files: Texts;
  /** Makes it of the texts, by flag; the error names the flag and quotes nothing of a text. */
  readonly parse: (texts: Texts) => Result<T, string>;
  readonly onChange: (value: T) => void;
  /** Told once of each new reason why what was read last stands. */
  readonly onKept: (because: string) => void;
}

/** The kubelet swaps the files of a Secret within about a minute of its change: looking this often adds little. */
const LOOK_EVERY_MS = 5_000;

/**
 * Reads files, and again as they change: by their content, since a mounted Secret changes by a link to a link. What
 * cannot be read or used later leaves what was read before; at the start it is the error.
 */
export async function watchFiles<T>(options: WatchOptions<T>): Promise<Result<WatchedFiles<T>, string>> {
  const first = await readAnew(options, undefined);
  if (!first.ok) return first;
  let standing = first.value;
  let keptBecause = '';
  const look = async (): Promise<void> => {
    const read = await readAnew(options, standing);
    const problem = read.ok ? '' : read.error;
    if (problem !== '' && problem !== keptBecause) options.onKept(problem);
    keptBecause = problem;
    if (!read.ok || read.value === standing) return;
    standing = read.value;
    options.onChange(standing.value);
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref();
  return ok({ current: () => standing.value, refresh: look, stop: () => clearInterval(timer) });
}

type Texts = Readonly<Record<string, string>>;

interface Reading<T> {
  readonly texts: Texts;
  readonly value: T;
}

/** `standing` itself where no text differs from those it was made of. */
async function readAnew<T>(
  { files, parse }: WatchOptions<T>,
  standing: Reading<T> | undefined,
): Promise<Result<Reading<T>, string>> {
  const texts = await readTexts(files);
  if (!texts.ok) return texts;
  if (standing !== undefined && isDeepStrictEqual(texts.value, standing.texts)) return ok(standing);
  const value = parse(texts.value);
  return value.ok ? ok({ texts: texts.value, value: value.value }) : value;
}

async function readTexts(files: Texts): Promise<Result<Texts, string>> {
  const texts: Record<string, string> = {};
  for (const [flag, path] of Object.entries(files)) {
    try {
      texts[flag] = await readFile(path, 'utf8');
    } catch (error) {
      return err(`--${flag}="${path}" cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`);
    }
  }
  return ok(texts);
}
