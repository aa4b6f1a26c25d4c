import type { Planted } from '../mutant.ts'

/** Mistakes in state machines. */
export const machines: readonly Planted[] = [
  {
    what: 'a closing execution that opens the show again',
    edits: [
      {
        file: 'statemachines/show.asl.json',
        text: '"Condition": "{% $states.input.closing %}"',
        instead: '"Condition": "{% $not($states.input.closing) %}"',
      },
    ],
    seed: 2,
  },
  {
    what: 'a failed session after which nothing is stopped',
    edits: [
      {
        file: 'statemachines/show.asl.json',
        text: `"Next": "Stop show"
        }
      ],
      "Next": "Set upload target"`,
        instead: `"Next": "Show refused"
        }
      ],
      "Next": "Set upload target"`,
      },
    ],
    seed: 33,
  },
  {
    what: 'a failed start of everything that is not caught',
    edits: [
      {
        file: 'statemachines/show.asl.json',
        text: `"broadcasts": "{% [$states.result[1]] %}"
      },
      "Catch": [
        {
          "ErrorEquals": ["States.ALL"],
          "Assign": {
            "failure": "{% $states.errorOutput %}"
          },
          "Next": "Stop show"
        }
      ],`,
        instead: `"broadcasts": "{% [$states.result[1]] %}"
      },`,
      },
    ],
    harmless: 'Each start catches its own errors, so that no error reaches the state that holds them all.',
  },
  {
    what: 'broadcasts that are not noted as started',
    edits: [
      {
        file: 'statemachines/show.asl.json',
        text: '"broadcasts": "{% [$states.result[1]] %}"',
        instead: '"broadcasts": []',
      },
    ],
    seed: 27,
  },
  {
    what: 'a watching child after which the show ends',
    edits: [
      {
        file: 'statemachines/show.asl.json',
        text: `"Default": "Watch"
`,
        instead: `"Default": "Stop show"
`,
      },
    ],
    seed: 49,
  },
  {
    what: 'a show that is watched although it is over',
    edits: [
      {
        file: 'statemachines/show.asl.json',
        text: `"Condition": "{% $states.input.over %}",
          "Assign"`,
        instead: `"Condition": "{% $not($states.input.over) %}",
          "Assign"`,
      },
    ],
    seed: 4,
  },
  {
    what: 'a failed stop after which the show is reported at once',
    edits: [
      {
        file: 'statemachines/show.asl.json',
        text: `"ErrorEquals": ["States.ALL"],
          "Next": "Check uploads"
        }
      ],
      "Next": "Check uploads"
    },
    "Check uploads"`,
        instead: `"ErrorEquals": ["States.ALL"],
          "Next": "Show unreported"
        }
      ],
      "Next": "Report show"
    },
    "Check uploads"`,
      },
    ],
    seed: 48,
  },
  {
    what: 'stranded archives that the machine does not rescue',
    edits: [
      {
        file: 'statemachines/show.asl.json',
        text: '$states.input.over and $count($states.input.stranded) > 0',
        instead: '$states.input.over and $count($states.input.stranded) > 99',
      },
    ],
    seed: 9,
  },
  {
    what: 'a report before the uploads have arrived',
    edits: [
      { file: 'statemachines/show.asl.json', text: '"Default": "Await uploads"', instead: '"Default": "Report show"' },
    ],
    seed: 48,
  },
  {
    what: 'a failed show that is a successful execution',
    edits: [
      {
        file: 'statemachines/show.asl.json',
        text: "$states.input.status = 'failed'",
        instead: "$states.input.status = 'unknown'",
      },
    ],
    seed: 3,
  },
  {
    what: 'a failure that the report does not name',
    edits: [
      {
        file: 'statemachines/show.asl.json',
        text: `"reason": "{% $reason %}",
        "failure": "{% $failure %}"
      },
      "Catch": [
        {
          "ErrorEquals": ["States.ALL"],
          "Next": "Check uploads"`,
        instead: `"reason": "{% $reason %}",
        "failure": null
      },
      "Catch": [
        {
          "ErrorEquals": ["States.ALL"],
          "Next": "Check uploads"`,
      },
    ],
    seed: 5,
  },
  {
    what: 'a show for an hour at most',
    edits: [
      { file: 'statemachines/show.asl.json', text: '"TimeoutSeconds": 864000', instead: '"TimeoutSeconds": 3600' },
    ],
    seed: 30,
  },
  {
    what: 'an audience that is not awaited',
    edits: [
      {
        file: 'statemachines/audience.asl.json',
        text: "$states.input.audience != 'absent'",
        instead: "$states.input.audience = 'absent'",
      },
    ],
    seed: 1,
  },
  {
    what: 'an audience whose child never ends',
    edits: [{ file: 'statemachines/audience.asl.json', text: '> 3500000', instead: '> 350000000' }],
    seed: 45,
  },
  {
    what: 'a watching child that never ends after its hour',
    edits: [{ file: 'statemachines/watch.asl.json', text: '> 3900000', instead: '> 390000000' }],
    seed: 49,
  },
  {
    what: 'parts that are due and not rolled over',
    edits: [
      { file: 'statemachines/watch.asl.json', text: '$states.input.due != null', instead: '$states.input.due = null' },
    ],
    seed: 26,
  },
  {
    what: 'a failed rollover that ends the watching',
    edits: [
      {
        file: 'statemachines/watch.asl.json',
        text: `"Catch": [
        {
          "ErrorEquals": ["States.ALL"],
          "Next": "Await next look"
        }
      ],
      "Next": "Await next look"
    },
    "Rescue archives"`,
        instead: `"Next": "Await next look"
    },
    "Rescue archives"`,
      },
    ],
    seed: 30,
  },
  {
    what: 'polls without a pause',
    edits: [
      { file: 'statemachines/watch.asl.json', text: '"Timestamp": "{% $nextPollAt %}"', instead: '"Seconds": 0' },
    ],
    seed: 1,
  },
  {
    what: 'a rescue of one archive that fails all others',
    edits: [
      {
        file: 'statemachines/rescue.asl.json',
        text: `"Catch": [
              {
                "ErrorEquals": ["States.ALL"],
                "Output": null,
                "Next": "Archive not rescued"
              }
            ],
            `,
        instead: '',
      },
    ],
    seed: 25,
  },
  {
    what: 'an owner who refused an event, and no alarm',
    edits: [
      {
        file: 'statemachines/notify.asl.json',
        text: "$states.input.outcome = 'refused'",
        instead: "$states.input.outcome = 'unknown'",
      },
    ],
    seed: 17,
  },
  {
    what: 'an owner whose notification is given up after an hour',
    edits: [
      { file: 'statemachines/notify.asl.json', text: '"TimeoutSeconds": 194400', instead: '"TimeoutSeconds": 60' },
    ],
    seed: 1,
  },
]
