/** The function that reads the status of one resource. */
const POLL = 'arn:aws:lambda:us-east-1:000000000000:function:poll'
export const POLL_LOOP = 'arn:aws:states:us-east-1:000000000000:stateMachine:poll-loop'

/** The simplest way to await the end of an archive or broadcast: poll every five seconds. */
export const pollLoop = {
  QueryLanguage: 'JSONata',
  StartAt: 'Wait',
  States: {
    Wait: { Type: 'Wait', Seconds: 5, Next: 'Poll' },
    Poll: {
      Type: 'Task',
      Resource: POLL,
      Arguments: '{% $states.context.Execution.Input %}',
      Next: 'Over?',
    },
    'Over?': {
      Type: 'Choice',
      Choices: [{ Condition: '{% $states.input.over %}', Next: 'Over' }],
      Default: 'Wait',
    },
    Over: { Type: 'Succeed' },
  },
} as const
