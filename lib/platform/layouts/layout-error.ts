/** Thrown when a layout cannot be drawn. Its message is a sentence for the author of a stylesheet. */
export class LayoutError extends Error {
  override readonly name = 'LayoutError'
}
