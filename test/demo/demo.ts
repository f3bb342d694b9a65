import { curlLines, DEFAULT_PORTS } from './curl.ts';
import { tellStory } from './story.ts';

/** `make demo`: prints the story, and exits non-zero at the first step that does not go as told. */
function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  await tellStory(say);
  say('\n== By hand: `make start-hooks` in one terminal, then in another');
  for (const line of curlLines(DEFAULT_PORTS)) say(`   ${line}`);
} catch (error) {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
