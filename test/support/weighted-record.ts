/** A weighted A record with one address, as the API of Route 53 spells it. */
export interface WeightedA {
  readonly Name: string;
  readonly Type: 'A';
  readonly SetIdentifier: string;
  readonly Weight: number;
  readonly TTL: number;
  readonly ResourceRecords: { readonly Value: string }[];
}

export function weightedRecord(name: string, identifier: string, weight: number): WeightedA {
  return {
    Name: name,
    Type: 'A',
    SetIdentifier: identifier,
    Weight: weight,
    TTL: 60,
    ResourceRecords: [{ Value: '192.0.2.1' }],
  };
}
