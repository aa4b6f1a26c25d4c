/** Machines whose executions run a show. The show machine starts the others as its children. */
export const showMachines = ['show', 'audience', 'watch', 'rescue'] as const

export type ShowMachine = (typeof showMachines)[number]

/** Returns the name of an execution that closes a show. @param closing from 1 */
export const closingName = (showId: string, closing: number) => `${showId}-close-${closing}`
