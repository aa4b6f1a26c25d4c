/**
 * Thrown when a state fails. Retry and Catch match `name`; `message` is the cause. Either may be empty, as in a bare
 * Fail state.
 */
export class StatesError extends Error {
  override readonly name: string
  /** True if no Retry or Catch may handle it. */
  readonly fatal: boolean

  constructor(name: string, cause: string) {
    super(cause)
    this.name = name
    this.fatal = name === 'States.Runtime'
  }
}

/** Thrown when an expression fails, for which AWS writes an `EvaluationFailed` event. */
export class QueryEvaluationError extends StatesError {
  /** Location within the state, for example `Output/result`; undefined for its input. */
  readonly location: string | undefined

  constructor(location: string | undefined, cause: string) {
    super('States.QueryEvaluationError', cause)
    this.location = location
  }
}

/** Thrown for a definition that this interpreter does not support or AWS refuses. */
export class DefinitionError extends Error {
  override readonly name = 'InvalidDefinition'
}

export const dataLimitExceeded = (what: string): StatesError =>
  new StatesError(
    'States.DataLimitExceeded',
    `The state/task '${what}' returned a result with a size exceeding the maximum number of bytes service limit.`,
  )
