/** Just enough XML for Route 53's requests and answers: elements, text and the five entities; attributes are skipped. */
export interface XmlElement {
  readonly name: string;
  readonly children: readonly XmlElement[];
  /** Text content; empty where there are children. */
  readonly text: string;
}

const TOKEN = /<\?[^>]*\?>|<!--[\s\S]*?-->|<(\/?)([\w.:-]+)[^>]*?(\/?)>|[^<]+/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The root element of a document; undefined where it is not well formed. */
export function parseXml(document: string): XmlElement | undefined {
  interface Open {
    readonly name: string;
    readonly children: XmlElement[];
    text: string;
  }
  const top: Open = { name: '', children: [], text: '' };
  const open: Open[] = [top];
  for (const [token, closing, name, empty] of document.matchAll(TOKEN)) {
    const current = open.at(-1) ?? top;
    if (name === undefined) {
      if (!token.startsWith('<')) current.text += unescapeXml(token);
    } else if (closing === '/') {
      if (current.name !== name) return undefined;
      open.pop();
    } else {
      const element: Open = { name, children: [], text: '' };
      current.children.push(element);
      if (empty !== '/') open.push(element);
    }
  }
  return open.length === 1 && top.children.length === 1 ? top.children[0] : undefined;
}

export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((candidate) => candidate.name === name);
}

export function escapeXml(text: string): string {
  return text.replace(
    /[&<>"'\r]/g,
    (character) =>
      ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;', '\r': '&#xD;' })[character] ??
      '',
  );
}

function unescapeXml(text: string): string {
  return text.replace(
    /&(?:#x([\da-fA-F]+)|#(\d+)|(\w+));/g,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return String.fromCodePoint(parseInt(hex, 16));
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      return ENTITIES[name ?? ''] ?? whole;
    },
  );
}
