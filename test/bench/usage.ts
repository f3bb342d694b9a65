/** Loaded before a program (`--import`): at its end the file USAGE_FILE tells what it took of the machine, as JSON. */
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  writeFileSync(process.env['USAGE_FILE'] ?? '', JSON.stringify(process.resourceUsage()));
});
