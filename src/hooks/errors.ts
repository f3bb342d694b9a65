/**
 * Every answer that is not a 200, by reason: the one table behind the responses and docs/reference/errors.md. A body is
 * one short line of text, because Metacontroller copies it word for word into an Event of the parent and into its log:
 * what was wrong, then what to do. What is wrong under `parent.spec` is none of these: that is a condition, with a 200.
 */
export const HTTP_ERRORS = {
  PathNotFound: {
    status: 404,
    means: 'Nothing is served at this path.',
    todo: 'Ask for one of the paths that the answer lists.',
  },
  HookNotServed: {
    status: 404,
    means: 'The hook exists, but this process was started without it.',
    todo: "Point Metacontroller at the other Deployment's Service, or add the hook to --hooks.",
  },
  MethodNotAllowed: {
    status: 405,
    means: 'The path is right, the method is not.',
    todo: 'Use a method of the Allow header.',
  },
  CallerUnknown: {
    status: 401,
    means: 'The Authorization header is missing or not one that is accepted.',
    todo: "Compare the Secret of the webhook's authorization or basicAuth with --auth-token-file or --basic-auth-file; then restart Metacontroller, which reads its Secret only once.",
  },
  CertificateRefused: {
    status: 403,
    means: 'The connection has no client certificate of a CA in --client-ca-file.',
    todo: "Compare the Secret of the webhook's clientTLS with --client-ca-file.",
  },
  UnsupportedMediaType: {
    status: 415,
    means: 'The body is not declared as JSON in UTF-8.',
    todo: 'Send Content-Type: application/json.',
  },
  UnsupportedEncoding: {
    status: 415,
    means: 'The body is compressed.',
    todo: 'Send it as it is, as Metacontroller does.',
  },
  BodyTooLarge: {
    status: 413,
    means: 'The body is larger than the limit.',
    todo: 'Raise --body-limit, or drop what makes the object large (managed fields, annotations).',
  },
  BodyTooFull: {
    status: 413,
    means:
      'The body holds more values than a parent and its children ever have; reading it would fill the memory.',
    todo: 'Look for children that nobody wants: objects with the labels of the parent count as its own.',
  },
  BodyTooSlow: {
    status: 408,
    means: 'The body did not arrive in the 10 s that Metacontroller itself gives a call.',
    todo: 'Look at the network between; the connection is closed.',
  },
  TooBusy: {
    status: 429,
    means: 'As many syncs run, or as many bytes of bodies are held, as one process takes on.',
    todo: "None: Retry-After says when Metacontroller asks again. If it stays, raise --max-concurrent-syncs or lower Metacontroller's --workers.",
  },
  BodyUnreadable: {
    status: 400,
    means: 'The connection broke, or the declared length of the body is wrong.',
    todo: 'Send it again; if it stays, look at the proxy between.',
  },
  InvalidUtf8: {
    status: 400,
    means: 'The body holds bytes that are not UTF-8.',
    todo: 'Send JSON in UTF-8.',
  },
  InvalidJson: {
    status: 400,
    means: 'The body is not JSON.',
    todo: 'Correct the body; the answer says where it stops being JSON.',
  },
  BodyTooDeep: {
    status: 400,
    means: 'The body nests deeper than any Kubernetes object does.',
    todo: 'Correct the body.',
  },
  InvalidEnvelope: {
    status: 400,
    means: 'A field of the envelope that a sync cannot do without is missing or of the wrong type.',
    todo: "Send Metacontroller's sync request; parent.metadata needs name, namespace and uid, each child apiVersion, kind and metadata.name.",
  },
  WrongParent: {
    status: 400,
    means:
      'The parent is of another kind than the hook serves: its answer would say that there are no children, and delete them.',
    todo: "Correct the url of the CompositeController's webhook.",
  },
  NotReady: {
    status: 503,
    means: 'The process is stopping, or lacks something that a hook of it needs.',
    todo: 'The answer names what is missing; a stopping process needs nothing.',
  },
  Unavailable: {
    status: 503,
    means: 'Something that must be known could not be read (the live object); nothing was touched.',
    todo: 'None: Metacontroller asks again. If it stays, look at the Kubernetes API and at the rights of the hook.',
  },
  InternalError: {
    status: 500,
    means: 'A bug of counterpoise; nothing was answered in part.',
    todo: 'Report it with the line of the log that carries the incident id.',
  },
} as const satisfies Readonly<Record<string, HttpErrorRow>>;

/** A row of docs/reference/errors.md. */
export interface HttpErrorRow {
  readonly status: number;
  /** What it means, and what to do, for the reference. */
  readonly means: string;
  readonly todo: string;
}

export type HttpErrorReason = keyof typeof HTTP_ERRORS;

/** An answer that is not a 200. `text`: what was wrong, then what to do; it is cleaned and cut when it is sent. */
export interface HttpError {
  readonly reason: HttpErrorReason;
  readonly text: string;
  /** Of a 401: the schemes that would do. */
  readonly challenge?: string;
}
