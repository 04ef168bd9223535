// What `browser/agent.py` writes in front of the joined files.
declare const SETTINGS: any;
