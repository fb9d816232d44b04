// Also runs on MongoDB, in test:long.
import { successSuite } from '../../rows/success.ts'
import { estateRows } from './estate-rows.ts'

successSuite(estateRows)
