import type { ObservedObject } from '../../src/kubernetes/objects.ts';
import { listAt, recordAt, type JsonRecord } from '../support/json.ts';
import type { SyncReport } from '../support/metacontroller/loop.ts';

const INDENT = ' '.repeat(10);

/** What a person reads of one sync: what was posted, and what is new in the hook's answer. */
export type Printer = (report: SyncReport, time: string) => readonly string[];

/** A printer that does not repeat what it has said of a parent in its last answer. */
export function createPrinter(): Printer {
  const lastSaid = new Map<string, readonly string[]>();
  return ({ controller, key, outcome }, time) => {
    if (outcome.kind === 'ParentGone') return [];
    if (outcome.kind === 'Unclaimed') return [`${time}  ${key}: ${outcome.message}`];
    const { parent, children: observed } = outcome.body;
    const path = `/${controller.replace('counterpoise-', '')}/sync`;
    const subject = `${parent.kind} ${parent.metadata.name}, generation ${parent.metadata.generation ?? 0}`;
    const posted = `${time}  POST ${path}  ${subject}${observedText(observed)}`;
    if (outcome.kind === 'TooManyRequests')
      return [posted, `${INDENT}429, again in ${outcome.afterSeconds} s`];
    if (outcome.kind === 'Failed') return [posted, `${INDENT}${outcome.message}`];
    const { children, status, resyncAfterSeconds } = outcome.answer;
    const before = lastSaid.get(`${controller} ${key}`) ?? [''];
    const said = [childTree(children).join('\n'), ...statusLines(status)];
    const conditions = otherConditions(status);
    lastSaid.set(`${controller} ${key}`, [...said, ...conditions]);
    const isNew = (line: string): boolean => !before.includes(line);
    const news = [...said.filter(isNew), conditions.filter(isNew).join(', ')]
      .filter((line) => line !== '')
      .flatMap((line) => line.split('\n'));
    const resync = resyncAfterSeconds > 0 ? `; ask again in ${resyncAfterSeconds} s` : '';
    if (news.length === 0) return [`${posted}: 200 as before${resync}`];
    return [posted, `${INDENT}200${resync}`, ...news.map((line) => `${INDENT}${line}`)];
  };
}

function observedText(children: Readonly<Record<string, Readonly<Record<string, ObservedObject>>>>): string {
  const kinds = Object.entries(children);
  if (kinds.length === 0) return '';
  const present = kinds.filter(([, byName]) => Object.keys(byName).length > 0);
  const names = present.map(([kind]) => kind.split('.')[0]).join(', ');
  return `, observed children: ${names === '' ? 'none' : names}`;
}

/** Children as a short tree: name, and what one would look for. */
function childTree(children: readonly ObservedObject[]): readonly string[] {
  return children.flatMap((child, index) => {
    const isLast = index === children.length - 1;
    const [branch, stem] = isLast ? ['└─', '  '] : ['├─', '│ '];
    return [
      `${branch} ${child.kind} ${child.metadata.name}`,
      ...childFacts(child).map((fact) => `${stem}    ${fact}`),
    ];
  });
}

function childFacts(child: ObservedObject): readonly string[] {
  const spec = recordAt(child, 'spec');
  switch (child.kind) {
    case 'Deployment':
      return deploymentFacts(spec);
    case 'Service': {
      const ports = listAt(spec, 'ports').map((port) => `${text(port, 'name')} ${text(port, 'port')}`);
      return [`${spec['clusterIP'] === 'None' ? 'headless' : 'ClusterIP'}: ${ports.join(', ')}`];
    }
    case 'Certificate': {
      const key = recordAt(spec, 'privateKey');
      const issuer = recordAt(spec, 'issuerRef');
      const names = listAt(spec, 'dnsNames').join(', ');
      return [
        `${text(key, 'algorithm')} ${text(key, 'size')} for ${names}, from ${text(issuer, 'kind')} ${text(issuer, 'name')}`,
        `into Secret ${text(spec, 'secretName')}`,
      ];
    }
    default:
      return [];
  }
}

function deploymentFacts(spec: JsonRecord): readonly string[] {
  const pod = recordAt(spec, 'template', 'spec');
  const [container] = listAt(pod, 'containers');
  const telling =
    /--(https-resolver-template|static-resolver-addr|internal-tls|config-sync-file-path|tls-mode)/;
  const args = listAt(container, 'args')
    .map(String)
    .filter((arg) => telling.test(arg));
  const labels = Object.entries(recordAt(spec, 'template', 'metadata', 'labels'))
    .filter(([key]) => !/^(app$|app\.kubernetes|materialize\.cloud)/.test(key))
    .map(([key, value]) => `pod label ${key}=${String(value)}`);
  return [`${text(spec, 'replicas')} pods of ${text(container, 'image')}`, ...labels, ...args];
}

function text(of: unknown, key: string): string {
  return String(recordAt(of)[key]);
}

/** A status in a few lines: weights, because and stages of a Rebalance, and what Ready says. */
function statusLines(status: JsonRecord): readonly string[] {
  const decision = recordAt(status, 'decision');
  const [ready] = listAt(status, 'conditions');
  const readyMessage = text(ready, 'message');
  const weights = `weight wanted ${text(status, 'desiredValue')}, in DNS ${text(status, 'actualValue')}`;
  const because = text(decision, 'because');
  const stages = Object.entries(recordAt(decision, 'stages')).map(
    ([stage, value]) => `${stage} ${String(value)}`,
  );
  return [
    ...('desiredValue' in status ? [weights] : []),
    ...('because' in decision && !readyMessage.includes(because) ? [`because ${because}`] : []),
    ...(stages.length === 0 ? [] : [`stages: ${stages.join(' > ')}`]),
    `${conditionText(ready)}: ${readyMessage}`,
  ];
}

/** Every condition but Ready, by its reason alone. */
function otherConditions(status: JsonRecord): readonly string[] {
  return listAt(status, 'conditions').slice(1).map(conditionText);
}

function conditionText(condition: unknown): string {
  return `${text(condition, 'type')}=${text(condition, 'status')} ${text(condition, 'reason')}`;
}
