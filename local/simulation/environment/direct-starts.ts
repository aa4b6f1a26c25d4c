import { createHash } from 'node:crypto'

/** Matches the names of executions that can be ids of shows. */
const ID = /^[0-9a-z-]{1,64}$/

/** Returns the name of an execution that is started without the API. It is not an id, so the id of its show is another one. */
export const directNameOf = (seed: number): string => `Seed_${seed}_started_directly`

/** Returns the id of the show of an execution that was started directly: the name of the execution, or its hash. */
export const showIdOf = (executionName: string): string =>
  ID.test(executionName) ? executionName : createHash('sha256').update(executionName).digest('hex').slice(0, 40)
