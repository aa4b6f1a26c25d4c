/**
 * Names of Node in files of `lib` that the types of the API's client lead to. Pages do not use them: the client has a law of
 * its own (test/lib/client/bundle.test.ts), and the stepped clock runs in tests only.
 */
declare namespace NodeJS {
  type Timeout = number
}
declare function setImmediate(act: (value?: unknown) => void): void
declare const Buffer: { from(text: string, encoding: string): { toString(): string } }
