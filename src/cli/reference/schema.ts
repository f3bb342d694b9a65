import { z } from 'zod';

/** A node of a structural schema, as far as it is read here. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly 'x-kubernetes-validations'?: readonly Rule[];
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
}

/** A CEL rule and the words in which the API server refuses what breaks it. */
export interface Rule {
  readonly rule: string;
  readonly message: string;
}

/**
 * The structural schema (https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema)
 * of what a zod schema accepts. `.refine()` has no form there: its twin is a CEL rule in `.meta()`.
 */
export function structuralSchema(schema: z.ZodType): Schema {
  return withoutDialect(
    z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input', reused: 'inline' }),
  ) as Schema;
}

/** JSON Schema's own words that a structural schema refuses, where zod writes them without being asked. */
function withoutDialect(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutDialect);
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([key, value]) => {
    if (key === '$schema') return false;
    // "No other keys": the API server prunes them instead.
    if (key === 'additionalProperties') return value !== false && !('properties' in node);
    // A format that the API server knows; zod's own pattern for it is half a page.
    if (key === 'pattern') return !('format' in node && node.format === 'date-time');
    // The extension says it all, and the API server wants no type beside it.
    if (key === 'anyOf' || key === 'type') return !('x-kubernetes-int-or-string' in node);
    return true;
  });
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutDialect(value)]));
}
