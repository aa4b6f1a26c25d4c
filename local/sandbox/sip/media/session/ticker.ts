import { BLOCK_MS } from '../block.ts'

/** Ticks that are made up for at a stretch, after the process was busy. After more, all but the last are left out. */
const MAX_LATE = 10

/**
 * Calls `onTick` every 20 ms of real time, until the returned function is called.
 * @param onTick takes the time of the tick in milliseconds since the epoch, a multiple of 20, and how many before were left out
 */
export function startTicker(onTick: (at: number, leftOut: number) => void): () => void {
  let due = nextDue()
  let timer = setTimeout(wait, due - Date.now())
  let immediate: NodeJS.Immediate | undefined

  /** Lets the process read its sockets first: timers are due before, so a late tick would miss what has arrived. */
  function wait(): void {
    immediate = setImmediate(tick)
  }

  function tick(): void {
    const now = Date.now()
    const before = due
    const isFarOff = due - now > MAX_LATE * BLOCK_MS // the machine's clock was set back
    if (isFarOff || now - due > MAX_LATE * BLOCK_MS) due = nextDue() - BLOCK_MS
    let leftOut = Math.max(0, (due - before) / BLOCK_MS)
    for (; due <= now; due += BLOCK_MS) {
      onTick(due, leftOut)
      leftOut = 0
    }
    timer = setTimeout(wait, Math.max(0, due - Date.now()))
  }
  return () => {
    clearTimeout(timer)
    clearImmediate(immediate)
  }
}

const nextDue = () => Math.ceil(Date.now() / BLOCK_MS) * BLOCK_MS
