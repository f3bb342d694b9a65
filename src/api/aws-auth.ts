import { z } from 'zod';
import type { AwsAuth, AwsBase } from '../rebalance/spec.ts';
import { secretKeyReference } from './secret-key-reference.ts';

const secretRef = z
  .object({
    accessKeyIDSecretRef: secretKeyReference('Where the access key id is.'),
    secretAccessKeySecretRef: secretKeyReference('Where the secret access key is.'),
    sessionTokenSecretRef: secretKeyReference(
      'Where the session token is, which temporary keys have.',
    ).optional(),
  })
  .meta({ description: 'AWS keys in Secrets, read at each evaluation.' });

/** An AWS region on the wire. */
export function awsRegion(description: string) {
  return z
    .string()
    .min(1)
    .max(64)
    .regex(/^[a-z0-9-]+$/, 'expected an AWS region such as ap-northeast-1')
    .meta({ description });
}

/** A role on the wire. Lengths and characters: STS API Reference, AssumeRole. */
export const assumeRoleSchema = z
  .object({
    roleARN: z
      .string()
      .min(20)
      .max(2048)
      .regex(
        /^arn:aws[a-z-]*:iam::[0-9]{12}:role\/[!-~]+$/,
        'expected the ARN of a role such as arn:aws:iam::123456789012:role/dns',
      )
      .meta({ description: 'ARN of the role, of any account that lets the caller assume it.' }),
    externalID: z
      .string()
      .min(2)
      .max(1224)
      .regex(/^[\w+=,.@:/-]+$/, 'expected letters, digits and any of _+=,.@:/-')
      .meta({ description: "External id that the role's trust policy asks for." })
      .optional(),
    sessionName: z
      .string()
      .min(2)
      .max(64)
      .regex(/^[\w+=,.@-]+$/, 'expected letters, digits and any of _+=,.@-')
      .meta({
        description:
          'Name of the session in CloudTrail; where absent counterpoise-<namespace>-<name>, cut to 64 characters.',
      })
      .optional(),
  })
  .meta({ description: 'A role to assume with the credentials of secretRef, or with those of the pod.' });

/** AWS credentials on the wire. */
export const awsAuthSchema = z
  .object({ secretRef: secretRef.optional(), assumeRole: assumeRoleSchema.optional() })
  .meta({
    description:
      'AWS credentials; without secretRef those of the pod: environment, shared files, web identity, Pod Identity, instance.',
  });

/** Wire to domain. */
export function toAwsAuth(wire: z.output<typeof awsAuthSchema> | undefined): AwsAuth {
  return { base: toBase(wire?.secretRef), role: toRole(wire?.assumeRole) };
}

function toBase(wire: z.output<typeof secretRef> | undefined): AwsBase {
  return wire === undefined
    ? { kind: 'DefaultChain' }
    : {
        kind: 'SecretKeys',
        accessKeyId: wire.accessKeyIDSecretRef,
        secretAccessKey: wire.secretAccessKeySecretRef,
        sessionToken: wire.sessionTokenSecretRef,
      };
}

/** Wire to domain; undefined where no role is to be assumed. */
export function toRole(wire: z.output<typeof assumeRoleSchema> | undefined): AwsAuth['role'] {
  return wire === undefined
    ? undefined
    : { roleArn: wire.roleARN, externalId: wire.externalID, sessionName: wire.sessionName };
}
