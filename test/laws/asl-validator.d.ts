/** The package ships no types of its own; this is what the laws use of it. */
declare module 'asl-validator' {
  function validate(definition: object): { isValid: boolean; errorsText: (separator: string) => string }
  export = validate
}
