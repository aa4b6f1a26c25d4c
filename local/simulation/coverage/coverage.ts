/** Times by name. */
export type Counts = Readonly<Record<string, number>>

/** The places that simulations have reached. Names of states begin with their machine: `watch: Roll over`. */
export interface Coverage {
  readonly states: Counts
  /** Repeated states, with the error: `show: Open session after Sandbox.Timedout`. */
  readonly retries: Counts
  /** Caught errors, by the state that failed, with the error. */
  readonly catches: Counts
  /** Errors of states and executions, by machine: `watch: PlatformNotFoundError`. */
  readonly errors: Counts
  /** Calls by site: the operation, and the state of the show at that time. */
  readonly calls: Counts
  /** Simulations that made a call of a site. */
  readonly reach: Counts
  /** Faults that struck, by kind and site. */
  readonly strikes: Counts
  /** Faults that were ordered for rare sites, also those that struck nothing. */
  readonly ordered: Counts
}

/** Returns the name of a site: `platform startArchive @ Watch`. */
export const siteOf = (operation: string, state: string): string => `${operation} @ ${state}`

/** Returns the name of a fault at a site: `429 × platform startArchive @ Watch`. */
export const strikeOf = (kind: string, site: string): string => `${kind} × ${site}`

export const noCoverage: Coverage = {
  states: {},
  retries: {},
  catches: {},
  errors: {},
  calls: {},
  reach: {},
  strikes: {},
  ordered: {},
}

/** Adds the coverages of several simulations. */
export function addCoverages(all: readonly Coverage[]): Coverage {
  const sum = (field: keyof Coverage) => addCounts(all.map((one) => one[field]))
  return {
    states: sum('states'),
    retries: sum('retries'),
    catches: sum('catches'),
    errors: sum('errors'),
    calls: sum('calls'),
    reach: sum('reach'),
    strikes: sum('strikes'),
    ordered: sum('ordered'),
  }
}

function addCounts(all: readonly Counts[]): Counts {
  const sum: Record<string, number> = {}
  for (const counts of all) for (const [name, times] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + times
  return sum
}
