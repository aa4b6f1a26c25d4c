import { element, setText, type View } from '../../dom.ts'
import { timeOfDay } from '../../format.ts'
import { moveClock } from '../api.ts'
import { getAhead, setAhead, timeNow } from '../clock.ts'
import { createButton, createControlGroup, createField } from '../controls/control-group.ts'
import { leadText } from './lead-text.ts'

/** Minutes by which the clock moves, unless the user enters others. */
const MINUTES = '60'
/** Minutes of a day, by which the clock moves at most at a time. */
const MAX_MINUTES = '1440'

/** Creates the control that moves the clock of Showrunner forward, such as to the start of a scheduled show. */
export function createClockControl(): View<void> {
  const time = element('p', { class: 'quiet' })
  const minutes = element('input', { type: 'number', min: '1', max: MAX_MINUTES, value: MINUTES })
  const move = createButton('Move the clock', () => {
    void group.run('Moving …', async () => {
      const moved = await moveClock(Number(minutes.value) * 60)
      setAhead(moved.ahead)
      return `It is ${timeOfDay(new Date(moved.now).toISOString())} now.`
    })
  })
  const row = element('div', { class: 'row' }, createField('Minutes forward', minutes), move)
  const group = createControlGroup('Clock', time, row)
  return {
    element: group.element,
    update: () => setText(time, `It is ${timeOfDay(new Date(timeNow()).toISOString())}, ${leadText(getAhead())}.`),
  }
}
