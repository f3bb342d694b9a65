import type { Request, RequestHandler, Response } from 'express';
import type { HookName } from '../config/settings.ts';
import { refusalOf, type Access } from './callers/gate.ts';
import type { Deps } from './deps.ts';
import type { HttpError } from './errors.ts';
import type { Hook } from './hook.ts';
import { sendError } from './http.ts';
import type { Intake, Ticket } from './intake.ts';
import { recordSync, runSync, startCounting, type SyncEnd } from './pipeline.ts';
import { readBody } from './read-body.ts';

/** Where Metacontroller finds a hook. */
export function syncPath(name: HookName): string {
  return `/${name}/sync`;
}

/** Metacontroller's own timeout for a whole call by default: whose body takes longer does not wait for the answer. */
const BODY_TIMEOUT_MS = 10_000;

/** What stands between the wire and the hook. */
export interface Border {
  readonly access: () => Access;
  readonly intake: Intake;
}

/** The handler of `POST /<hook>/sync`: know the caller, demand JSON, read the bytes, run the sync, answer. */
export function syncHandler(
  name: HookName,
  hook: Hook,
  deps: Deps,
  { access, intake }: Border,
): RequestHandler {
  startCounting(deps, name);
  return async (request, response) => {
    const refusal = refusalOf(request, access()) ?? refusalByType(request);
    if (refusal !== undefined) {
      send(response, refused(deps, name, refusal));
      return;
    }
    const ticket = intake.open();
    try {
      send(response, await sync(request, ticket));
    } finally {
      ticket.close();
    }
  };

  async function sync(request: Request, ticket: Ticket): Promise<SyncEnd> {
    const body = await readBody(request, {
      limitBytes: deps.settings.bodyLimitBytes,
      timeoutMs: BODY_TIMEOUT_MS,
      hold: (bytes) => ticket.hold(bytes),
    });
    if (!body.ok) return refused(deps, name, body.error);
    return ticket.start() ? runSync(name, hook, body.value, deps) : refused(deps, name, TOO_MANY);
  }
}

function refused(deps: Deps, name: HookName, error: HttpError): SyncEnd {
  const end: SyncEnd = error.reason === 'TooBusy' ? { kind: 'Shed', error } : { kind: 'Refused', error };
  recordSync(deps, name, end);
  return end;
}

const TOO_MANY: HttpError = {
  reason: 'TooBusy',
  text: 'busy: as many syncs run as --max-concurrent-syncs allows',
};

function refusalByType({ headers }: Request): HttpError | undefined {
  return isJson(headers['content-type']) ? undefined : NOT_JSON;
}

const NOT_JSON: HttpError = {
  reason: 'UnsupportedMediaType',
  text: 'the body is not declared as JSON: send Content-Type: application/json',
};

function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType ?? '');
}

function send(response: Response, end: SyncEnd): void {
  if (end.kind !== 'Answered') {
    sendError(response, end.error);
    return;
  }
  const body = Buffer.from(end.json);
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
  });
  response.end(body);
}
