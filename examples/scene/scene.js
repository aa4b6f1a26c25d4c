// A lower third with a name, a clock and animation: index.html?name=Ada%20Lovelace&role=Host.
// Each second begins with a flash and a beep, and a timecode shows the number of the frame. Both can be measured in a
// recording.

const FRAMES_PER_SECOND = 30
/** Milliseconds of the flash and the beep. */
const LIT = 100
const HERTZ = 1000
/** Seconds ahead for which beeps are scheduled. */
const AHEAD = 2

const find = (selector) => document.querySelector(selector)

function showNames() {
  const query = new URLSearchParams(location.search)
  find('h1').textContent = query.get('name') ?? 'Showrunner'
  find('p').textContent = query.get('role') ?? ''
}

/** Returns the 32 fields of a frame, true for white: white, black, its number (24 bits), a check (4 bits), black, white. */
function timecodeOf(frame) {
  const number = frame % 2 ** 24
  let check = 5
  for (let place = 0; place < 6; place++) check += (2 * place + 1) * (Math.floor(number / 16 ** place) % 16)
  const bits = (value, count) => Array.from({ length: count }, (_, index) => (value >> (count - 1 - index)) % 2 === 1)
  return [true, false, ...bits(number, 24), ...bits(check % 16, 4), false, true]
}

function draw() {
  const now = Date.now()
  find('time').textContent = new Date(now).toISOString().slice(11, 19)
  find('.light').classList.toggle('on', now % 1000 < LIT)
  const context = find('canvas').getContext('2d')
  for (const [index, isWhite] of timecodeOf(Math.floor((now * FRAMES_PER_SECOND) / 1000)).entries()) {
    context.fillStyle = isWhite ? '#fff' : '#000'
    context.fillRect(index, 0, 1, 1)
  }
  requestAnimationFrame(draw)
}

/** Schedules a beep for the beginning of each second. */
function beep() {
  const audio = new AudioContext()
  let last = 0
  const schedule = () => {
    const { contextTime, performanceTime } = audio.getOutputTimestamp()
    const origin = performance.timeOrigin + performanceTime - contextTime * 1000
    const next = Math.max(last + 1, Math.ceil(Date.now() / 1000) + 1)
    for (let second = next; second < Date.now() / 1000 + AHEAD; second++) {
      last = second
      sound(audio, (second * 1000 - origin) / 1000)
    }
  }
  setInterval(schedule, 250)
}

function sound(audio, at) {
  const oscillator = new OscillatorNode(audio, { frequency: HERTZ })
  const volume = new GainNode(audio, { gain: 0.3 })
  oscillator.connect(volume).connect(audio.destination)
  oscillator.start(at)
  oscillator.stop(at + LIT / 1000)
}

showNames()
draw()
beep()
