// Also runs on MongoDB, in test:long.
import { successSuite } from '../../rows/success.ts'
import { paymentsRows } from './payments-rows.ts'

successSuite(paymentsRows)
