import { format } from 'node:util';
import type { RootHookObject } from 'mocha';

/* eslint-disable no-console, @typescript-eslint/unbound-method -- catching the console is the purpose */
const METHODS = ['log', 'info', 'warn', 'error', 'debug'] as const;
const original = new Map(METHODS.map((method) => [method, console[method]]));
let noise: string[] = [];

/** A test that prints is a test that hides something: console noise and process warnings fail the test that made them. */
export const mochaHooks: RootHookObject = {
  beforeAll() {
    process.on('warning', (warning) => noise.push(`process warning: ${warning.message}`));
  },
  beforeEach() {
    noise = [];
    for (const method of METHODS) {
      console[method] = (...args: unknown[]) => {
        noise.push(`console.${method}: ${format(...args)}`);
      };
    }
  },
  afterEach() {
    for (const [method, write] of original) console[method] = write;
    if (noise.length > 0) throw new Error(`the test made noise on the console: ${noise.join(' | ')}`);
  },
};
