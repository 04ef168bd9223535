"""Operations on a finished crawl: status, report, export, diff, explain, replay, findings and roles."""
