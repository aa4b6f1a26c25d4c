/** The package ships no types; this is what the tests use of it. */
declare module 'm3u8-parser' {
  export class Parser {
    on(event: string, listener: (problem: { message: string }) => void): void
    push(text: string): void
    end(): void
  }
}

/** What the tests use of the package. It keeps them checked before the package is installed. */
declare module 'hls-parser' {
  export function parse(text: string): object
  export function setOptions(options: { strictMode: boolean }): void
}
