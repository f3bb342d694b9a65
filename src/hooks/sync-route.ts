import express, { type ErrorRequestHandler, type RequestHandler, type Response } from 'express';
import type { HookName } from '../config/settings.ts';
import type { Deps } from './deps.ts';
import { asRefusal } from './errors.ts';
import type { Hook } from './hook.ts';
import { sendError } from './http.ts';
import { bug, recordSync, runSync, type SyncEnd } from './pipeline.ts';

export function syncPath(name: HookName): string {
  return `/${name}/sync`;
}

/** The handlers of `POST /<hook>/sync`: demand JSON, read the bytes, run the sync, answer; and refuse what broke before. */
export function syncHandlers(
  name: HookName,
  hook: Hook,
  deps: Deps,
): readonly (RequestHandler | ErrorRequestHandler)[] {
  const { bodyLimitBytes } = deps.settings;
  const refuse = (response: Response, end: SyncEnd): void => {
    recordSync(deps, name, end);
    send(response, end);
  };
  const demandJson: RequestHandler = (request, response, next) => {
    if (isJson(request.headers['content-type'])) next();
    else refuse(response, { kind: 'Refused', error: NOT_JSON });
  };
  const readBytes = express.raw({ type: () => true, limit: bodyLimitBytes });
  const serve: RequestHandler = async (request, response) => {
    const bytes: unknown = request.body;
    send(response, await runSync(name, hook, bytes instanceof Uint8Array ? bytes : new Uint8Array(), deps));
  };
  const refuseUnread: ErrorRequestHandler = (thrown: unknown, _request, response, next) => {
    if (response.headersSent) {
      next(thrown);
      return;
    }
    const error = asRefusal(thrown, bodyLimitBytes);
    refuse(response, error === undefined ? bug(thrown) : { kind: 'Refused', error });
  };
  return [demandJson, readBytes, serve, refuseUnread];
}

const NOT_JSON = {
  reason: 'UnsupportedMediaType',
  text: 'the body is not declared as JSON: send Content-Type: application/json',
} as const;

function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType ?? '');
}

function send(response: Response, end: SyncEnd): void {
  if (end.kind === 'Answered') response.status(200).type('application/json').send(end.json);
  else sendError(response, end.error);
}
