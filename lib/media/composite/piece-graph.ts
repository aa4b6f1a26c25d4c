import { type CompositeSize, FRAMES_PER_SECOND, type Place } from './plan-composite.ts'

/** The pictures of a piece: one input of ffmpeg each, in their order. */
export interface GraphSpec extends CompositeSize {
  /** Frames of the piece, and frames of ffmpeg's timeline before its first. */
  readonly frames: number
  readonly lead: number
  /** Places of each input, in frames of the piece. */
  readonly inputs: readonly (readonly Place[])[]
}

/**
 * Writes the filter graph that draws all pictures onto one frame. Each input is first drawn on its own canvas, which ticks with
 * the frame: an input that sends nothing for a while keeps its picture and delays no other. The output is named `out`.
 */
export function pieceGraph({ width, height, frames, lead, inputs }: GraphSpec): string {
  const base = `${ticking(width, height, lead, frames)}[frame0]`
  const drawn = inputs.flatMap((places, index) => drawInput(places, index, lead))
  const last = `[frame${inputs.length}]setpts=N,format=yuv420p[out]`
  return [base, ...drawn, last].join(';')
}

/** A black picture at the frame rate, from this frame of ffmpeg's timeline on. */
const ticking = (width: number, height: number, start: number, frames: number) =>
  `color=black:s=${width}x${height}:r=${FRAMES_PER_SECOND},format=yuv420p,trim=end_frame=${frames},setpts=N+${start}`

function drawInput(places: readonly Place[], index: number, lead: number): string[] {
  const first = places[0] as Place
  const last = places.at(-1) as Place
  const canvas = places.reduce((one, other) => (other.width > one.width ? other : one), first)
  const scaler = `scale@cell${index}`
  const commands = places
    .slice(1)
    .map((place) => `${timeOf(place.start, lead)} ${scaler} w ${place.width}, ${scaler} h ${place.height}`)
  const resized = [
    ...(commands.length > 0 ? [`sendcmd=c='${commands.join('; ')}'`] : []),
    `${scaler}=w=${first.width}:h=${first.height}:${SCALING}`,
  ]
  return [
    `[${index}:v]${fitInto(canvas)}[picture${index}]`,
    `${ticking(canvas.width, canvas.height, lead + first.start, last.end - first.start)}[canvas${index}]`,
    `[canvas${index}][picture${index}]overlay=x='(W-w)/2':y='(H-h)/2',${resized.join(',')}[cell${index}]`,
    `[frame${index}][cell${index}]overlay=x='${over(places, 'x', lead)}':y='${over(places, 'y', lead)}'` +
      `:enable='${over(places, undefined, lead)}'[frame${index + 1}]`,
  ]
}

const SCALING = 'flags=bilinear+accurate_rnd+bitexact'

/**
 * Fits each frame by its own shape, since senders change their size at any time. Rounds times to the nearest frame of the
 * composite, since versions of ffmpeg would each round in another way.
 */
const fitInto = ({ width, height }: CompositeSize) =>
  `scale=w='2*max(1,round(min(${width},${height}*dar)/2))':h='2*max(1,round(min(${height},${width}/dar)/2))'` +
  `:eval=frame:${SCALING},setsar=1,format=yuv420p,settb=1/${FRAMES_PER_SECOND}`

/** An expression of the time for a value that depends on the place; without a name it is 1 wherever there is a place. */
const over = (places: readonly Place[], name: 'x' | 'y' | undefined, lead: number) =>
  places
    .map(({ start, end, ...place }) => {
      const during = `gte(t,${timeOf(start, lead)})*lt(t,${timeOf(end, lead)})`
      return name ? `${place[name]}*${during}` : during
    })
    .join('+')

/** Half a frame early, so that rounding does not decide. */
const timeOf = (frame: number, lead: number) => ((lead + frame - 0.5) / FRAMES_PER_SECOND).toFixed(4)
