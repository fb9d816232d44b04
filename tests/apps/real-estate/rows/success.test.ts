// Also runs on MongoDB.
import { successSuite } from '../../rows/success.ts'
import { estateRows } from './estate-rows.ts'

successSuite(estateRows)
