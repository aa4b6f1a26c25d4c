import { element } from '../../dom.ts'
import { clockTime, moment } from '../../format.ts'
import type { Forecast } from '../answers.ts'
import { timeNow } from '../clock.ts'

/** Draws what a show will do: its next start in the zone of the browser, its steps, recordings and cost. */
export function drawForecast({ nextStart, steps, recordings, cost }: Forecast): HTMLElement[] {
  const start = nextStart === undefined ? 'It starts at once.' : `It starts next: ${moment(nextStart, timeNow())}.`
  return [
    element('p', {}, start),
    element(
      'ol',
      {},
      ...steps.map(({ step, details }) => element('li', {}, element('strong', {}, step), ` ${details}`)),
    ),
    element(
      'ul',
      {},
      ...recordings.map(({ name, seconds, parts }) =>
        element(
          'li',
          {},
          `Recording ${name}: up to ${clockTime(seconds)}, ${parts === 1 ? 'one part' : `${parts} parts`}`,
        ),
      ),
    ),
    element(
      'p',
      {},
      `About $${cost.usd.toFixed(2)} on AWS, and $${cost.storage.usd.toFixed(2)} a month for its recordings.`,
    ),
    element('p', { class: 'quiet' }, `List prices of ${cost.region}, ${cost.asOf}, without the video platform.`),
  ]
}
