import { MediaError } from '../../../lib/media/media-error.ts'

/** Checks that an id can be a file name. @throws {@link MediaError} */
export function checkId(id: string): void {
  if (!/^[0-9A-Za-z-]{1,64}$/.test(id)) {
    throw new MediaError(`The output id ${JSON.stringify(id)} cannot be a file name: use letters, digits and hyphens.`)
  }
}

/**
 * Returns width and height of a resolution such as `1280x720`.
 * @throws {@link MediaError} for another form, or for odd numbers
 */
export function sizeOf(resolution: string): { width: number; height: number } {
  const [, width, height] = (/^(\d{2,4})x(\d{2,4})$/.exec(resolution) ?? []).map(Number)
  if (!width || !height || width % 2 || height % 2) {
    throw new MediaError(
      `The resolution ${JSON.stringify(resolution)} is invalid: use the form 1280x720 with even numbers.`,
    )
  }
  return { width, height }
}
