import { InvalidArgumentError } from 'commander'
import { idPattern } from '../../lib/show/document/fields/names.ts'

/** Parses the id of a show. @throws InvalidArgumentError when no show can have that id */
export function parseShowId(text: string): string {
  if (!idPattern.test(text))
    throw new InvalidArgumentError('Ids have up to 64 small letters, digits and dashes. `list` prints them.')
  return text
}
