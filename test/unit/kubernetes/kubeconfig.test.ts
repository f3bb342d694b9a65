import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { currentContext, readKubeconfig, type KubeconfigFile } from '../../../src/kubernetes/kubeconfig.ts';

type Named = Readonly<Record<string, object>>;

interface Content {
  readonly current?: string;
  readonly contexts?: Named;
  readonly clusters?: Named;
  readonly users?: Named;
}

function listOf(entries: Named, kind: string): readonly object[] {
  return Object.entries(entries).map(([name, fields]) => ({ name, [kind]: fields }));
}

function textOf({ current, contexts = {}, clusters = {}, users = {} }: Content): string {
  return JSON.stringify({
    'current-context': current,
    contexts: listOf(contexts, 'context'),
    clusters: listOf(clusters, 'cluster'),
    users: listOf(users, 'user'),
  });
}

/** Files in directories of their own: /1/config, /2/config. */
function filesOf(contents: readonly (Content | string)[]): readonly KubeconfigFile[] {
  return contents.map((content, index) => ({
    path: `/${index + 1}/config`,
    text: typeof content === 'string' ? content : textOf(content),
  }));
}

const CONTEXT: Content = {
  current: 'it',
  contexts: { it: { cluster: 'k', user: 'u' } },
  clusters: { k: { server: 'https://one' } },
  users: { u: { token: 'one' } },
};

describe('a kubeconfig', () => {
  const rows: readonly {
    readonly name: string;
    readonly files: readonly (Content | string)[];
    readonly cluster: object;
    readonly user: object;
  }[] = [
    {
      name: 'of one file',
      files: [CONTEXT],
      cluster: { server: 'https://one' },
      user: { token: 'one' },
    },
    {
      name: 'of files that have a part each, whatever their order',
      files: [
        { users: { u: { token: 'one' } } },
        '',
        { clusters: { k: { server: 'https://one' } } },
        { contexts: { it: { cluster: 'k', user: 'u' } } },
        { current: 'it' },
      ],
      cluster: { server: 'https://one' },
      user: { token: 'one' },
    },
    {
      name: 'whose first file counts for what several have, entry by entry and each whole',
      files: [
        { current: 'it', users: { u: { 'client-key-data': 'a2V5' } } },
        CONTEXT,
        {
          current: 'other',
          contexts: { it: { cluster: 'other' }, other: { cluster: 'k' } },
          clusters: { k: { server: 'https://three', 'insecure-skip-tls-verify': true } },
          users: { u: { token: 'three' } },
        },
      ],
      cluster: { server: 'https://one' },
      user: { 'client-key-data': 'a2V5' },
    },
    {
      name: 'with an empty current-context in the first file, which is none',
      files: [{ current: '' }, CONTEXT],
      cluster: { server: 'https://one' },
      user: { token: 'one' },
    },
    {
      name: 'with paths, which are relative to the file that has them',
      files: [
        {
          users: {
            u: { 'client-certificate': 'my.pem', 'client-key': '../my.key', tokenFile: '/abs/token' },
          },
        },
        { ...CONTEXT, clusters: { k: { server: 'https://one', 'certificate-authority': 'pki/ca.pem' } } },
      ],
      cluster: { server: 'https://one', 'certificate-authority': '/2/pki/ca.pem' },
      user: { 'client-certificate': '/1/my.pem', 'client-key': '/my.key', tokenFile: '/abs/token' },
    },
    {
      name: 'with a plugin beside it',
      files: [{ ...CONTEXT, users: { u: { exec: { command: './bin/plugin', args: ['./as/it/is'] } } } }],
      cluster: { server: 'https://one' },
      user: { exec: { command: '/1/bin/plugin', args: ['./as/it/is'] } },
    },
    {
      name: 'with a plugin in PATH',
      files: [{ ...CONTEXT, users: { u: { exec: { command: 'aws' } } } }],
      cluster: { server: 'https://one' },
      user: { exec: { command: 'aws' } },
    },
    {
      name: 'whose context names no user: anonymous',
      files: [{ ...CONTEXT, contexts: { it: { cluster: 'k' } } }],
      cluster: { server: 'https://one' },
      user: {},
    },
    {
      name: 'that is broken where nobody looks',
      files: [
        '{"clusters": [7, {"name": "x"}, null], "users": "none", "contexts": null}',
        { ...CONTEXT, clusters: { broken: {}, k: { server: 'https://one' } } },
      ],
      cluster: { server: 'https://one' },
      user: { token: 'one' },
    },
  ];
  for (const { name, files, cluster, user } of rows) {
    it(name, () => {
      assert.deepEqual(currentContext(filesOf(files)), { ok: true, value: { cluster, user } });
    });
  }

  const refused: readonly {
    readonly name: string;
    readonly files: readonly (Content | string)[];
    readonly error: string;
  }[] = [
    {
      name: 'without a current context',
      files: [{ ...CONTEXT, current: '' }],
      error: 'the kubeconfig has no current-context: kubectl config use-context sets one',
    },
    {
      name: 'whose current context is nowhere',
      files: [{ ...CONTEXT, current: 'gone' }],
      error: 'the kubeconfig has no context "gone", which is current',
    },
    {
      name: 'whose context names no cluster',
      files: [{ ...CONTEXT, contexts: { it: { user: 'u' } } }],
      error: 'the current context of the kubeconfig names no cluster',
    },
    {
      name: 'whose cluster is nowhere',
      files: [{ ...CONTEXT, clusters: {} }],
      error: 'the kubeconfig has no cluster "k", which its current context names',
    },
    {
      name: 'whose cluster has no server',
      files: [{ ...CONTEXT, clusters: { k: {} } }],
      error: 'cluster "k" of the kubeconfig has no server',
    },
    {
      name: 'whose user is nowhere: it would be anonymous without a word',
      files: [{ ...CONTEXT, users: {} }],
      error: 'the kubeconfig has no user "u", which its current context names',
    },
    {
      name: 'of which one file is no YAML',
      files: [CONTEXT, 'clusters: ['],
      error:
        'the kubeconfig /2/config is no YAML: Flow sequence in block collection must be sufficiently indented and end with a ] at line 1, column 12',
    },
    {
      name: 'of which one file is something else',
      files: [CONTEXT, '- a list'],
      error: 'the kubeconfig /2/config is no mapping of clusters, users and contexts',
    },
  ];
  for (const { name, files, error } of refused) {
    it(`is refused ${name}`, () => {
      assert.deepEqual(currentContext(filesOf(files)), { ok: false, error });
    });
  }
});

describe('the files of a kubeconfig', () => {
  let directory = '';
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'counterpoise-'))));
  afterEach(() => rmSync(directory, { recursive: true }));
  const path = (name: string): string => join(directory, name);

  it('are those that are there', () => {
    writeFileSync(path('there'), textOf(CONTEXT));
    assert.ok(readKubeconfig([path('gone'), path('there')]).ok);
  });

  it('are refused where none is there', () => {
    assert.deepEqual(readKubeconfig([path('gone'), path('too')]), {
      ok: false,
      error: 'there is no such file',
    });
  });

  it('are refused where one is there and cannot be read: it might have had the first word', () => {
    writeFileSync(path('there'), textOf(CONTEXT));
    mkdirSync(path('directory'));
    assert.deepEqual(readKubeconfig([path('directory'), path('there')]), {
      ok: false,
      error: 'cannot read the kubeconfig: EISDIR: illegal operation on a directory, read',
    });
  });
});
