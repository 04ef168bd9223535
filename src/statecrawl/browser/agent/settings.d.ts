// What `browser/agent.py` writes in front of the joined files.
declare const SETTINGS: any;
declare const IDENTITY: any;
// And in front of `worker.js`, which is run alone.
declare const SEED: number;
declare const EPOCH: number;
