import { createPicture } from '../composing/picture.ts'
import type { Source } from './source.ts'

const SIZE = { width: 640, height: 480 }

/** Creates the source of a stream that is not decoded: it is black and silent. */
export const createDarkSource = (): Source => ({
  ...SIZE,
  picture: createPicture(2, 2),
  changed: [],
  audio: undefined,
  show() {},
})
