import type { z } from 'zod'

/**
 * One operation of the platform as data. Client, sandbox, command line, documents and tests are all read from it.
 *
 * Every placeholder of `path` is an argument, except `{apiKey}` where a project's credentials sign: there the client
 * fills in its own. Paths end without a slash; the platform takes them with one as well, as existing SDKs send them.
 */
export interface Operation {
  /** Its number in docs/operations.md, E1 to E36. */
  readonly id: `E${number}`
  readonly summary: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to `base`. */
  readonly path: string
  /** The Insights URL; the REST interface's URL unless said otherwise. */
  readonly base?: 'insights'
  /** Whose credentials sign it: a project's, or the account's for operations on projects. */
  readonly credentials: 'project' | 'account'
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** How the body travels; `json` unless said otherwise. */
  readonly encoding?: 'form'
  /** Whether repeating it after a lost answer does no harm. */
  readonly repeatable: boolean
  readonly success: { readonly status: 200 | 202 | 204; readonly response?: z.ZodType }
  /** Every other status it can answer, with its causes in words. */
  readonly errors: Readonly<Partial<Record<ErrorStatus, string>>>
  /** Answers of the body's own to fields that break their rule, by the field's dotted name; `code` is the status else. */
  readonly codes?: Readonly<Record<string, { readonly code: number; readonly message: string }>>
  /** One complete exchange: the arguments as a caller gives them and the answer's body. */
  readonly example: { readonly request: Readonly<Record<string, unknown>>; readonly response?: unknown }
}

export type ErrorStatus = 400 | 403 | 404 | 405 | 408 | 409 | 413 | 500

type Placeholder<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never
type PlaceholderOf<O> = O extends { path: infer Path extends string } ? Placeholder<Path> : never
type FilledIn<O> = O extends { credentials: 'project' } ? 'apiKey' : never
type PathArguments<O> = { [Name in Exclude<PlaceholderOf<O>, FilledIn<O>>]: string }
type PathReceived<O> = { [Name in PlaceholderOf<O> | FilledIn<O>]: string }
type QueryIn<O> = O extends { query: infer Query extends z.ZodType } ? z.input<Query> : unknown
type QueryOut<O> = O extends { query: infer Query extends z.ZodType } ? { query: z.output<Query> } : unknown
type BodyIn<O> = O extends { body: infer Body extends z.ZodType } ? z.input<Body> : unknown
type BodyOut<O> = O extends { body: infer Body extends z.ZodType } ? { body: z.output<Body> } : unknown

/** What a caller gives: path arguments, query and body fields in one object. */
export type Request<O> = Flat<PathArguments<O> & QueryIn<O> & BodyIn<O>>
/** What a server receives once it has been validated and its defaults filled in; a project's key also without one in the path. */
export type ReceivedRequest<O> = Flat<PathReceived<O> & QueryOut<O> & BodyOut<O>>
/** What comes back. */
export type Response<O> = O extends { success: { response: infer Body extends z.ZodType } } ? z.output<Body> : undefined

/** What a server sends. */
export type SentResponse<O> = O extends { success: { response: infer Body extends z.ZodType } }
  ? z.input<Body>
  : undefined

/** The intersection with nothing lets editors show the fields instead of how they are found. */
type Flat<T> = { [Key in keyof T]: T[Key] } & {}
