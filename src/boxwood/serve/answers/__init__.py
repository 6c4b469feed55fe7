"""What each route answers: functions of a loaded model and a request's members."""
