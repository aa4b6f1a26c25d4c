/** A state failed: `name` is what Retry and Catch match, `message` is the cause. Either may be empty, as in a bare Fail state. */
export class StatesError extends Error {
  override readonly name: string
  /** True when no Retry or Catch anywhere may handle it. */
  readonly fatal: boolean

  constructor(name: string, cause: string) {
    super(cause)
    this.name = name
    this.fatal = name === 'States.Runtime'
  }
}

/** An expression failed; AWS writes an event of its own for it (`EvaluationFailed`). */
export class QueryEvaluationError extends StatesError {
  /** Where in the state, as in `Output/result`; undefined for the state's input. */
  readonly location: string | undefined

  constructor(location: string | undefined, cause: string) {
    super('States.QueryEvaluationError', cause)
    this.location = location
  }
}

/** What an API call is refused with: `name` is the code a client sees in `__type`. */
export class ServiceError extends Error {
  override readonly name: string

  constructor(code: string, message: string) {
    super(message)
    this.name = code
  }
}

/** A definition holds something this interpreter does not implement or AWS would not accept. */
export class DefinitionError extends Error {
  override readonly name = 'InvalidDefinition'
}

export const dataLimitExceeded = (what: string): StatesError =>
  new StatesError(
    'States.DataLimitExceeded',
    `The state/task '${what}' returned a result with a size exceeding the maximum number of bytes service limit.`,
  )
