import type { z } from 'zod'

/**
 * One operation of the platform as data. Client, sandbox, command line, documents and tests read it.
 *
 * Every placeholder of `path` is an argument. The exception is `{apiKey}` where a project's credentials sign: the client
 * fills in its own. Paths end without a slash. The platform also accepts a trailing slash, which existing SDKs send.
 */
export interface Operation {
  /** Its number in docs/operations.md, E1 to E36. */
  readonly id: `E${number}`
  /** One or two sentences that open with a verb in the third person. */
  readonly summary: string
  /** Limits that no schema states, one sentence each, with units. */
  readonly limits?: readonly string[]
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** URL that `path` is relative to. @default the URL of the REST interface */
  readonly base?: 'insights'
  /** Set when the account's credentials sign it, for operations on projects. @default the project's credentials */
  readonly credentials?: 'account'
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** Encoding of the body. @default JSON */
  readonly encoding?: 'form'
  /** True if repeating it after a lost answer does no harm. */
  readonly repeatable: boolean
  readonly success: {
    readonly status: 200 | 202 | 204
    readonly response?: z.ZodType
    /** Media type that it answers where `Accept` does not ask for JSON. @default always JSON */
    readonly unlessJson?: 'application/xml'
  }
  /** Every other status it can answer, with its causes as sentences. */
  readonly errors: Readonly<Partial<Record<ErrorStatus, string>>>
  /** Error bodies for invalid fields, by dotted field name. For other fields, `code` repeats the status. */
  readonly codes?: Readonly<Record<string, { readonly code: number; readonly message: string }>>
  /** One complete exchange: the caller's arguments and the body of the answer. */
  readonly example: { readonly request: Readonly<Record<string, unknown>>; readonly response?: unknown }
}

export type ErrorStatus = 400 | 403 | 404 | 405 | 408 | 409 | 413 | 500

type Placeholder<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never
type PlaceholderOf<O> = O extends { path: infer Path extends string } ? Placeholder<Path> : never
type FilledIn<O> = O extends { credentials: 'account' } ? never : 'apiKey'
type PathArguments<O> = { [Name in Exclude<PlaceholderOf<O>, FilledIn<O>>]: string }
type PathReceived<O> = { [Name in PlaceholderOf<O> | FilledIn<O>]: string }
type QueryIn<O> = O extends { query: infer Query extends z.ZodType } ? z.input<Query> : unknown
type QueryOut<O> = O extends { query: infer Query extends z.ZodType } ? { query: z.output<Query> } : unknown
type BodyIn<O> = O extends { body: infer Body extends z.ZodType } ? z.input<Body> : unknown
type BodyOut<O> = O extends { body: infer Body extends z.ZodType } ? { body: z.output<Body> } : unknown

/** The arguments of a call: path arguments, query fields and body fields in one object. */
export type Request<O> = Flat<PathArguments<O> & QueryIn<O> & BodyIn<O>>
/** A validated request with its defaults, as a server reads it. It has the project's key even if the path has none. */
export type ReceivedRequest<O> = Flat<PathReceived<O> & QueryOut<O> & BodyOut<O>>
export type Response<O> = O extends { success: { response: infer Body extends z.ZodType } } ? z.output<Body> : undefined

/** The body of a successful answer as a server sends it. */
export type SentResponse<O> = O extends { success: { response: infer Body extends z.ZodType } }
  ? z.input<Body>
  : undefined

/** The intersection with `{}` makes editors show the fields instead of the conditional types. */
type Flat<T> = { [Key in keyof T]: T[Key] } & {}
