/** What one process takes on at a time; what is above it is shed, so that what runs can end. */
export interface IntakeLimits {
  readonly maxSyncs: number;
  /** Bytes of bodies that are held at a time, from the first that arrives to the end of their syncs. */
  readonly maxBytes: number;
}

/** One request's part of the intake. */
export interface Ticket {
  /** Takes room for more bytes of the body; false: there is none. */
  hold(bytes: number): boolean;
  /** Takes a place among the syncs that run; false: there is none. */
  start(): boolean;
  /** Gives everything back; the last call on a ticket. */
  close(): void;
}

/** What one process takes on at a time. */
export interface Intake {
  open(): Ticket;
}

/** A request that waits for its body holds the bytes that are here and no place: slow senders cost what they send. */
export function createIntake({ maxSyncs, maxBytes }: IntakeLimits): Intake {
  let syncs = 0;
  let bytes = 0;
  return {
    open: () => {
      let heldSyncs = 0;
      let heldBytes = 0;
      return {
        hold: (more) => {
          if (bytes + more > maxBytes) return false;
          bytes += more;
          heldBytes += more;
          return true;
        },
        start: () => {
          if (syncs >= maxSyncs) return false;
          syncs += 1;
          heldSyncs += 1;
          return true;
        },
        close: () => {
          syncs -= heldSyncs;
          bytes -= heldBytes;
        },
      };
    },
  };
}
