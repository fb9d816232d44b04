import { jobsIn, processesIn } from '../../office/work/jobs.ts'

export const jobs = jobsIn('estate')
export const processes = processesIn('estate')
