import { jobsIn, processesIn } from '../../office/worker.ts'

export const jobs = jobsIn('estate')
export const processes = processesIn('estate')
