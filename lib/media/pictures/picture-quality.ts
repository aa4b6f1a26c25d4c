/** Mean brightness that even a dark stage exceeds, and a black frame with a channel logo does not. */
const DARKEST_MEAN = 24
/** Standard deviation of a picture that shows only noise. */
const FLATTEST_DEVIATION = 4

/** Brightness up to which a pixel looks black: black is 16, and encoders add noise. */
const BRIGHTEST_BLACK = 32
/** Minimum share of black pixels; the rest may be a logo. */
const BLACK_SHARE = 0.98

/** Returns true for a small brightness picture that is black, except for a logo. */
export function isBlack(luma: Uint8Array): boolean {
  const black = luma.reduce((count, value) => (value <= BRIGHTEST_BLACK ? count + 1 : count), 0)
  return black >= luma.length * BLACK_SHARE
}

/**
 * Rates a small brightness picture (video range: black is 16, white 235) as a poster.
 * @param luma `width` × `height` bytes, row by row
 */
export function judgePicture(luma: Uint8Array, width: number, height: number) {
  const pixel = (x: number, y: number) => luma[y * width + x] ?? 0
  const brightness = createMoments()
  const detail = createMoments()
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      brightness.add(pixel(x, y))
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) continue
      detail.add(4 * pixel(x, y) - pixel(x - 1, y) - pixel(x + 1, y) - pixel(x, y - 1) - pixel(x, y + 1))
    }
  }
  const flattestVariance = FLATTEST_DEVIATION ** 2
  return {
    /** False for a picture that is black or has the same brightness all over. */
    showsSomething: brightness.mean() >= DARKEST_MEAN && brightness.variance() >= flattestVariance,
    /** Amount of detail: the variance of the Laplacian, which blur and fades lower. */
    sharpness: detail.variance(),
  }
}

function createMoments() {
  let count = 0
  let sum = 0
  let squares = 0
  const mean = () => (count ? sum / count : 0)
  return {
    add(value: number) {
      count += 1
      sum += value
      squares += value * value
    },
    mean,
    variance: () => (count ? squares / count - mean() ** 2 : 0),
  }
}
