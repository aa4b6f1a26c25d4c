import { describe, expect, it } from 'vitest'
import { createThumbnails } from '../../../web/watch/thumbnails.ts'

const vtt = [
  'WEBVTT',
  '',
  '00:00:00.000 --> 00:00:02.000',
  'sprite-0.jpg#xywh=0,0,160,90',
  '',
  '00:00:02.000 --> 00:00:04.000',
  'sprite-0.jpg#xywh=160,90,160,90',
  '',
  '00:00:04.000 --> 00:00:06.000',
  'sprite-1.jpg#xywh=0,0,160,90',
  '',
].join('\n')

const unstyled = { backgroundImage: '', backgroundPosition: '', width: '', height: '' }
const show = (time: number, sprites: Record<string, string> = { 'sprite-0.jpg': 'https://files/s0?a=1&b=2' }) => {
  const style = { ...unstyled }
  const isShown = createThumbnails(vtt, (file) => sprites[file]).show({ style }, time)
  return { isShown, style }
}

describe('createThumbnails', () => {
  it('shows the area of the sheet for a time', () => {
    expect(show(3)).toEqual({
      isShown: true,
      style: {
        backgroundImage: 'url("https://files/s0?a=1&b=2")',
        backgroundPosition: '-160px -90px',
        width: '160px',
        height: '90px',
      },
    })
  })

  it('shows nothing without a cue, or without a link to its sheet', () => {
    expect(show(7).isShown).toBe(false)
    expect(show(5)).toEqual({ isShown: false, style: unstyled })
  })
})
