import assert from 'node:assert/strict';
import { startDeadline } from '../../../src/foundation/deadline.ts';
import { err, ok, type Result } from '../../../src/foundation/result.ts';
import { createSecretReader } from '../../../src/hooks/secret-reader.ts';
import type { ApiFailure, KubernetesApi } from '../../../src/kubernetes/api.ts';

const SCOPE = { namespace: 'default', allowCrossNamespace: false };
const KEY = { name: 'login', key: 'user' };

function apiWith(secret: Result<ReadonlyMap<string, string>, ApiFailure>): KubernetesApi {
  return {
    get: () => assert.fail('only Secrets are read'),
    list: () => assert.fail('nothing is listed'),
    getSecret: () => Promise.resolve(secret),
    label: () => assert.fail('nothing is written'),
    deleteAlone: () => assert.fail('nothing is deleted'),
    record: () => assert.fail('no Event is worth it'),
  };
}

describe('a reader of Secrets', () => {
  it('gives the value of the key', async () => {
    const reader = createSecretReader(apiWith(ok(new Map([['user', 'me']]))), SCOPE);
    assert.deepEqual(await reader.read(KEY, startDeadline(1_000)), ok('me'));
  });

  it("takes the object's own namespace when it is named", async () => {
    const reader = createSecretReader(apiWith(ok(new Map([['user', 'me']]))), SCOPE);
    assert.deepEqual(await reader.read({ ...KEY, namespace: 'default' }, startDeadline(1_000)), ok('me'));
  });

  const rows: readonly {
    readonly name: string;
    readonly api: KubernetesApi | undefined;
    readonly reason: string;
    readonly message: string;
  }[] = [
    {
      name: 'the Secret is not there',
      api: apiWith(err({ kind: 'NotFound', message: 'not found' })),
      reason: 'SecretMissing',
      message: 'Secret default/login does not exist',
    },
    {
      name: 'the key is not there',
      api: apiWith(ok(new Map([['other', 'hunter2']]))),
      reason: 'SecretKeyMissing',
      message: 'Secret default/login has no key "user"',
    },
    {
      name: 'RBAC says no',
      api: apiWith(err({ kind: 'Forbidden', message: 'cannot get secrets' })),
      reason: 'SecretForbidden',
      message: 'the service may not read Secret default/login: cannot get secrets',
    },
    {
      name: 'the API does not answer',
      api: apiWith(err({ kind: 'Unavailable', message: 'no answer in time' })),
      reason: 'SecretUnavailable',
      message: 'Secret default/login cannot be read: no answer in time',
    },
    {
      name: 'there is no API',
      api: undefined,
      reason: 'SecretUnavailable',
      message: 'Secret default/login cannot be read: the service has no Kubernetes API',
    },
  ];
  for (const { name, api, reason, message } of rows) {
    it(`says why it has no value when ${name}`, async () => {
      const read = await createSecretReader(api, SCOPE).read(KEY, startDeadline(1_000));
      assert.deepEqual(read, err({ reason, message }));
    });
  }
});
