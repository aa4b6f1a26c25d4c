/** The package ships no types of its own; this is what the tests use of it. */
declare module 'm3u8-parser' {
  export class Parser {
    on(event: string, listener: (problem: { message: string }) => void): void
    push(text: string): void
    end(): void
  }
}
