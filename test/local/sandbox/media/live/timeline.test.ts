import { describe, expect, it } from 'vitest'
import { createTimeline } from '../../../../../local/sandbox/media/live/timeline.ts'

describe('createTimeline', () => {
  it('takes the least delay of a kind as none until the sender reports', () => {
    const timeline = createTimeline(['video', 'audio'])
    timeline.arrived({ kind: 'video', timestamp: 90_000, at: 5_000 })
    timeline.arrived({ kind: 'video', timestamp: 180_000, at: 6_020 })
    expect(timeline.timeOf('video', 180_000)).toBe(6_000)
  })

  it('aligns picture and audio by the sender’s clock, although one of them arrives later', () => {
    const timeline = createTimeline(['video', 'audio'])
    timeline.reported({ kind: 'video', timestamp: 0, senderTime: 1_000 })
    timeline.reported({ kind: 'audio', timestamp: 480_000, senderTime: 1_000 })
    for (let second = 0; second < 5; second++) {
      timeline.arrived({ kind: 'audio', timestamp: 480_000 + second * 48_000, at: 50_000 + second * 1_000 })
      timeline.arrived({ kind: 'video', timestamp: second * 90_000, at: 50_200 + second * 1_000 })
    }
    expect(timeline.timeOf('audio', 480_000 + 4 * 48_000)).toBe(54_000)
    expect(timeline.timeOf('video', 4 * 90_000)).toBe(54_000)
  })

  it('passes over a report that is late, and follows when all of them are', () => {
    const timeline = createTimeline(['video', 'audio'])
    const audioAt = (second: number) => timeline.timeOf('audio', second * 48_000) - second * 1_000
    const found = [0, 35, 0, 50, 50, 50, 50].map((late, index) => {
      const second = 5 * index
      timeline.reported({ kind: 'video', timestamp: second * 90_000, senderTime: second * 1_000 })
      timeline.reported({ kind: 'audio', timestamp: second * 48_000, senderTime: second * 1_000 + late })
      timeline.arrived({ kind: 'video', timestamp: second * 90_000, at: 50_000 + second * 1_000 })
      return audioAt(second)
    })
    expect(found).toEqual([50_000, 50_000, 50_000, 50_000, 50_000, 50_050, 50_050])
  })

  it('begins again when the clock of the sender is set', () => {
    const timeline = createTimeline(['video'])
    timeline.reported({ kind: 'video', timestamp: 0, senderTime: 10_000 })
    timeline.arrived({ kind: 'video', timestamp: 0, at: 50_000 })
    timeline.reported({ kind: 'video', timestamp: 90_000, senderTime: 1_000 })
    timeline.arrived({ kind: 'video', timestamp: 90_000, at: 51_000 })
    expect(timeline.timeOf('video', 90_000)).toBe(51_000)
  })

  it('counts on where timestamps start again', () => {
    const timeline = createTimeline(['audio'])
    timeline.arrived({ kind: 'audio', timestamp: 2 ** 32 - 48_000, at: 1_000 })
    timeline.arrived({ kind: 'audio', timestamp: 48_000, at: 3_000 })
    expect(timeline.timeOf('audio', 96_000)).toBe(4_000)
  })

  it('follows a sender that becomes later or catches up, but not by little', () => {
    const timeline = createTimeline(['audio'])
    const arrive = (second: number, delay: number) =>
      timeline.arrived({ kind: 'audio', timestamp: second * 48_000, at: 1_000_000 + second * 1_000 + delay })
    for (let second = 0; second < 5; second++) arrive(second, 0)
    for (let second = 5; second < 10; second++) arrive(second, -40)
    expect(timeline.timeOf('audio', 10 * 48_000)).toBe(1_010_000)
    for (let second = 10; second < 15; second++) arrive(second, -500)
    expect(timeline.timeOf('audio', 15 * 48_000)).toBe(1_014_500)
    for (let second = 15; second < 65; second++) arrive(second, 200)
    expect(timeline.timeOf('audio', 65 * 48_000)).toBe(1_065_200)
  })
})
