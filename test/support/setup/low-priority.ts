import { constants, setPriority } from 'node:os'

// Of a test file that has a process of its own, and of the programs that it starts: tests in real time come first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
